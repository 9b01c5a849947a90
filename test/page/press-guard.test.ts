import { describe, expect, it } from "vitest";
import { readCardKey } from "../../src/page/view/card-keys.ts";
import { PressGuard } from "../../src/page/view/press-guard.ts";

describe("a press", () => {
  it("counts where it began and ended on one live target", () => {
    const guard = new PressGuard();
    guard.begin("a", true);
    expect(guard.take("a", 1)).toBe(true);
    expect(guard.take("a", 1)).toBe(false);
  });

  it("does not count where it began before the target was live", () => {
    const guard = new PressGuard();
    guard.begin("a", false);
    expect(guard.take("a", 1)).toBe(false);
  });

  it("does not count where it began elsewhere, or nowhere", () => {
    const guard = new PressGuard();
    guard.begin("b", true);
    expect(guard.take("a", 1)).toBe(false);
    expect(guard.take("a", 1)).toBe(false);
  });

  it("does not count as a further click of a fast series", () => {
    const guard = new PressGuard();
    guard.begin("a", true);
    expect(guard.take("a", 2)).toBe(false);
  });

  it("does not count as a key that repeats", () => {
    const guard = new PressGuard();
    guard.begin("a", true);
    guard.spoil();
    expect(guard.take("a", 0)).toBe(false);
  });

  it("counts where assistive technology clicks without going down", () => {
    expect(new PressGuard().take("a", 0)).toBe(true);
  });
});

describe("keys of a focused card", () => {
  const key = (key: string, changes = {}) => ({
    key,
    repeat: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...changes,
  });

  it("choose by digit, once for each press", () => {
    expect(readCardKey(key("3"), true)).toEqual({ act: "option", index: 2 });
    expect(readCardKey(key("3", { repeat: true }), true)).toBeUndefined();
    expect(readCardKey(key("3", { ctrlKey: true }), true)).toBeUndefined();
    expect(readCardKey(key("0"), true)).toBeUndefined();
  });

  it("move, and leave what scrolls its arrows", () => {
    expect(readCardKey(key("j"), false)).toEqual({ act: "next" });
    expect(readCardKey(key("ArrowUp"), true)).toEqual({ act: "previous" });
    expect(readCardKey(key("ArrowUp"), false)).toBeUndefined();
  });

  it("leave on Escape and do nothing on Enter", () => {
    expect(readCardKey(key("Escape"), true)).toEqual({ act: "leave" });
    expect(readCardKey(key("Enter"), true)).toBeUndefined();
  });
});
