import { describe, expect, it } from "vitest";
import { shortTextOf, WITHHELD } from "../../src/resident/short-text.ts";

describe("text of an agent", () => {
  const show = shortTextOf([{ name: "API_TOKEN", value: "s3cret-s3cret" }]);

  it.each([
    "/home/ana/work",
    "Work in /srv/app",
    "(~/notes)",
    "~ana/notes",
    String.raw`C:\Users\Ana`,
    String.raw`\\server\share`,
    "file:///etc/passwd",
    "ana@example.com",
    "Signed in as ana.b+c@corp",
    "dir=/opt/x",
  ])("is not shown where it may hold a path or an account: %s", (text) => {
    expect(show(text)).toBe(WITHHELD);
  });

  it.each([
    "read-only",
    "@scope/agent-acp",
    "https://agentclientprotocol.com/protocol/session-modes#agent",
    "Ask / plan",
    "read/write",
    "agent@1.2.3",
    "模式",
  ])("is shown as it is otherwise: %s", (text) => {
    expect(show(text)).toBe(text);
  });

  it("shows a secret of the environment by its name, and stays on one short line", () => {
    expect(show("key s3cret-s3cret!")).toBe("key ‹API_TOKEN›!");
    expect(show("a\nb\t\u001B[2J\u202E")).toBe(String.raw`a\nb\t\u{1b}[2J\u{202e}`);
    expect(show("😀".repeat(81))).toBe(`${"😀".repeat(80)}…`);
  });
});
