import { describe, expect, it } from "vitest";
import { readEntry } from "../../src/page/session/entry.ts";
import { type Keep, makeKeep, makeMemory } from "../../src/page/session/memory.ts";

const ROOM = "A".repeat(43);
const SECRET = `${"b".repeat(42)}A`;
const invite = (kind: string) => `hr1.${kind}.${ROOM}.${SECRET}`;

function makeMap(): Keep {
  const map = new Map<string, string>();
  return {
    get: (key) => map.get(key),
    set: (key, value) => void map.set(key, value),
    remove: (key) => void map.delete(key),
  };
}

describe("what an opened page does first", () => {
  it("joins with a human invite that it does not know", () => {
    const memory = makeMemory(makeMap(), makeMap());
    const expected = { type: "join", roomId: ROOM, invite: invite("hi") };
    expect(readEntry(invite("hi"), memory)).toEqual(expected);
    expect(readEntry(encodeURIComponent(invite("hi")), memory)).toEqual(expected);
  });

  it("resumes where this browser has joined, with the link or without", () => {
    const device = makeMap();
    const memory = makeMemory(makeMap(), device);
    memory.rememberToken(ROOM, "token");
    memory.rememberRoom(ROOM);
    const resumed = { type: "resume", roomId: ROOM, token: "token", invite: undefined };
    expect(readEntry(invite("hi"), memory)).toEqual({ ...resumed, invite: invite("hi") });
    expect(readEntry("", memory)).toEqual(resumed);
    expect(readEntry("", makeMemory(makeMap(), device))).toEqual(resumed);
  });

  it.each(["ended", "removed", "left"] as const)(
    "says of a Room that this tab was in why it is no more: %s",
    (why) => {
      const [tab, device] = [makeMap(), makeMap()];
      const memory = makeMemory(tab, device);
      memory.rememberToken(ROOM, "token");
      memory.rememberRoom(ROOM);
      memory.forgetToken(ROOM, why);
      expect(readEntry("", makeMemory(tab, device))).toEqual({ type: "stop", reason: why });
      expect(readEntry("", makeMemory(makeMap(), device))).toEqual({
        type: "stop",
        reason: "no_link",
      });
      memory.rememberToken(ROOM, "token");
      memory.rememberRoom(ROOM);
      memory.forgetToken("another", why);
      expect(readEntry("", makeMemory(tab, device)).type).toBe("resume");
      tab.set("handraise.ending", "<b>");
      expect(makeMemory(tab, device).ending()).toBeUndefined();
    },
  );

  it("keeps a tab in its own Room", () => {
    const device = makeMap();
    const tab = makeMap();
    const memory = makeMemory(tab, device);
    memory.rememberToken(ROOM, "token");
    memory.rememberRoom(ROOM);
    makeMemory(makeMap(), device).rememberRoom("another");
    expect(readEntry("", memory)).toMatchObject({ type: "resume", roomId: ROOM });
  });

  it.each([
    ["", "no_link"],
    ["hr1.hi.half", "broken_link"],
    ["waiting", "broken_link"],
    ["%E0%A4%A", "broken_link"],
    [invite("ri"), "resident_link"],
    [invite("ht"), "broken_link"],
  ])("says what is wrong with %j: %s", (fragment, reason) => {
    const memory = makeMemory(makeMap(), makeMap());
    expect(readEntry(fragment, memory)).toEqual({ type: "stop", reason });
  });
});

describe("a storage that refuses", () => {
  it("still remembers for this page", () => {
    const keep = makeKeep(() => {
      throw new Error("refused");
    });
    expect(keep.get("a")).toBeUndefined();
    keep.set("a", "1");
    expect(keep.get("a")).toBe("1");
    keep.remove("a");
    expect(keep.get("a")).toBeUndefined();
  });
});
