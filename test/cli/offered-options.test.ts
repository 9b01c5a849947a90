import { describe, expect, it } from "vitest";
import { readOfferedOptions } from "../../src/cli/ask/offered-options.ts";

describe("--option", () => {
  it.each([
    ["yes=Deploy:allow_once", { optionId: "yes", name: "Deploy", kind: "allow_once" }],
    ["a=b=c: d:reject_always", { optionId: "a", name: "b=c: d", kind: "reject_always" }],
    ["a= :) :allow_always", { optionId: "a", name: " :) ", kind: "allow_always" }],
  ])("%s", (value, option) => {
    expect(readOfferedOptions([value])).toEqual([option]);
  });

  it.each([
    "",
    "yes",
    "yes=Deploy",
    "=Deploy:allow_once",
    "yes=:allow_once",
    "yes=Deploy:",
    "yes=Deploy:allow",
    "allow_once",
  ])("“%s” is none", (value) => {
    expect(() => readOfferedOptions([value])).toThrow(/is not id=name:kind.*Nothing was asked/);
  });

  it("is none where none is given, and keeps the order", () => {
    expect(readOfferedOptions([])).toBeUndefined();
    const ids = readOfferedOptions(["b=B:reject_once", "a=A:allow_once"])?.map(
      (one) => one.optionId,
    );
    expect(ids).toEqual(["b", "a"]);
  });

  it("cannot be offered twice under one id", () => {
    expect(() => readOfferedOptions(["a=A:allow_once", "a=B:reject_once"])).toThrow(
      /the id “a” stands there twice.*id of its own/,
    );
  });
});
