import { Writable } from "node:stream";
import { Console } from "node:console";
import { expect, it } from "vitest";
import { makeConsoleSafe } from "../../src/resident/safe-console.ts";

it("what is quoted on the console cannot act on the terminal", () => {
  let written = "";
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  const console = new Console({ stdout: stderr, stderr });
  makeConsoleSafe(console);
  console.error("Unknown id: %s", "\u001b]0;pwned\u0007", { id: "\u001b[2J" });
  console.warn("\u009b31m \u202e %d", 5);
  for (const one of ["\u001b", "\u0007", "\u009b", "\u202e"]) expect(written).not.toContain(one);
  expect(written).toContain("pwned");
});
