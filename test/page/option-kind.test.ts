import { describe, expect, it } from "vitest";
import { lockOf } from "../../src/page/model/locks.ts";
import {
  claimsAnotherKind,
  equallyNamed,
  isDurable,
  readKind,
} from "../../src/page/model/option-kind.ts";
import type { CardEntry } from "../../src/page/model/state.ts";
import { makeCard } from "./make-card.ts";

const option = (name: string, kind?: string, optionId = name) =>
  kind === undefined ? { optionId, name } : { optionId, name, kind };

describe("an option's kind", () => {
  it("is read from the kind alone, never from id or name", () => {
    expect(readKind(option("Reject", "allow_once", "reject_once"))).toBe("allow_once");
    expect(readKind(option("x", "allow_persistent"))).toBe("unknown");
    expect(readKind(option("x"))).toBe("unknown");
    expect(isDurable("reject_always")).toBe(true);
  });

  it.each([
    ["No", "allow_once", true],
    ["Don’t ask again", "allow_always", true],
    ["Allow once", "reject_once", true],
    ["Yes", "allow_once", false],
    ["Notify me", "allow_once", false],
    ["No, keep planning", "reject_once", false],
    ["No", "something_new", false],
    ["R\u0435ject", "allow_once", true],
    ["Re\u200Bject", "allow_once", true],
    ["\u0410llow", "reject_once", true],
    ["1. No", "allow_once", true],
    ["2) Reject", "allow_once", true],
    ["1. Yes", "reject_once", true],
    ["Disallow", "allow_once", true],
    ["Grant access", "reject_once", true],
    ["2 more times", "allow_once", false],
  ])("warns where a name claims another: %s, %s: %s", (name, kind, claims) => {
    expect(claimsAnotherKind(option(name, kind))).toBe(claims);
  });

  it("finds names that look equal", () => {
    const options = [
      option("Allow", "allow_once", "p"),
      option("allow\u200B ", "allow_always", "q"),
      option("No", "reject_once", "r"),
    ];
    expect([...equallyNamed(options)]).toEqual(["p", "q"]);
  });

  it.each([
    ["Allow", "\u0410ll\u043Ew"],
    ["Allow once", "AIlow 0nce"],
    ["Confirm", "Confirrn"],
    ["Allow", "All\u1ECDw"],
    ["Allow", "Ａｌｌｏｗ"],
    ["Allow", "Al\u04CFow"],
    ["Allow", "\uA4EEllow"],
    ["Always", "\u13AAlways"],
    ["Allow", "All\u0585w"],
    ["Re-run", "Re\u2010run"],
    ["Don't", "Don’t"],
  ])("takes look-alikes for equal: %s, %s", (one, other) => {
    const options = [option(one, "allow_once", "p"), option(other, "reject_once", "q")];
    expect([...equallyNamed(options)]).toEqual(["p", "q"]);
  });

  it.each([
    ["Allow once", "Allow always"],
    ["Разрешить", "Отклонить"],
    ["允许", "拒绝"],
    ["step 2", "step 3"],
  ])("tells others apart: %s, %s", (one, other) => {
    const options = [option(one, "allow_once", "p"), option(other, "reject_once", "q")];
    expect(equallyNamed(options).size).toBe(0);
  });
});

describe("what keeps an option from being pressed", () => {
  const ready = { live: true, armed: true, isUnread: false };
  const entry: CardEntry = { card: makeCard(), standing: "known" };

  it("opens every kind once all is well", () => {
    expect(lockOf("allow_once", entry, ready)).toBeUndefined();
    expect(lockOf("unknown", entry, ready)).toBeUndefined();
  });

  it.each([
    [{ ...ready, armed: false }, "arming"],
    [{ ...ready, isUnread: true }, "unread"],
  ])("lets refusing through at once, and nothing else: %j", (conditions, lock) => {
    expect(lockOf("reject_once", entry, conditions)).toBeUndefined();
    expect(lockOf("reject_always", entry, conditions)).toBeUndefined();
    for (const kind of ["allow_once", "allow_always", "unknown"] as const) {
      expect(lockOf(kind, entry, conditions)).toBe(lock);
    }
  });

  it("locks all without a connection, while a press is under way, and until the Room says how a card stands", () => {
    const attempt = { state: "sending", optionId: "a", pressedAt: 0 } as const;
    expect(lockOf("reject_once", entry, { ...ready, live: false })).toBe("not_connected");
    expect(lockOf("reject_once", { ...entry, attempt }, ready)).toBe("undecided");
    expect(lockOf("reject_once", { ...entry, standing: "checking" }, ready)).toBe("undecided");
  });

  it("locks allowing until evidence by reference is here and checked", () => {
    const evidence = { inline: false, bytes: 9, sha256: "", cut: [] as string[] } as const;
    const card = makeCard({ evidence });
    const { toolCall } = card;
    const lock = (fetched: CardEntry["fetched"]) =>
      lockOf("allow_once", { card, standing: "known", fetched }, ready);
    expect(lock(undefined)).toBe("loading");
    expect(lock({ state: "loading" })).toBe("loading");
    expect(lock({ state: "failed", why: "altered" })).toBe("unavailable");
    expect(lock({ state: "unchecked", toolCall })).toBe("unavailable");
    expect(lock({ state: "loaded", toolCall })).toBeUndefined();
  });
});
