import { assert, double, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { findLostNumber, readAgentLine } from "../../src/resident/agent-line.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("numbers of an agent's message", () => {
  it.each(["0", "-0", "0.0", "1.0", "100", "1e2", "0.1", "1.50", "-12.5e-3", "9007199254740992"])(
    "keeps %s",
    (number) => expect(findLostNumber(`{"a":[${number}]}`)).toBeUndefined(),
  );

  it.each([
    "9007199254740993",
    "1e999",
    "0.1234567890123456789",
    "-123456789012345678901",
    "1e-999",
  ])("notices that %s is lost", (number) =>
    expect(findLostNumber(`{"a":[${number}]}`)).toContain("number"),
  );

  it("keeps every number that JavaScript writes itself", () => {
    assert(
      property(double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(findLostNumber(JSON.stringify([number]))).toBeUndefined();
      }),
    );
  });

  it("takes digits in a string for text", () => {
    expect(findLostNumber('{"a":"9007199254740993"}')).toBeUndefined();
  });

  it("survives nesting that overflows a stack", () => {
    const depth = 200_000;
    const text = `${"[".repeat(depth)}9007199254740993${"]".repeat(depth)}`;
    expect(findLostNumber(text)).toContain("deep");
  });
});

describe("a line of an agent's output", () => {
  it("is read, and says that it holds bytes that are not UTF-8", () => {
    const line = new Uint8Array([...bytes('{"id":0,"a":"'), 0xff, ...bytes('"}')]);
    expect(readAgentLine(line)?.message).toEqual({ id: 0, a: "\ufffd" });
    expect(readAgentLine(line)?.findFlaw()).toContain("UTF-8");
    expect(readAgentLine(bytes('{"id":0,"a":"ü"}'))?.findFlaw()).toBeUndefined();
  });

  it("is nothing where it is no JSON", () => {
    expect(readAgentLine(bytes("Listening on port 1"))).toBeUndefined();
    expect(readAgentLine(bytes(""))).toBeUndefined();
  });
});
