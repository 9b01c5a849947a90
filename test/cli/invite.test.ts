import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readDoor } from "../../src/cli/invite.ts";
import { runCommand } from "../../src/cli/run-command.ts";
import { takeEnvironment } from "../../src/cli/surroundings.ts";
import { SurroundingsBench } from "./surroundings-bench.ts";

const ROOM = "A".repeat(43);
const SECRET = `s3cret-${"B".repeat(35)}A`;
const HUMAN = `hr1.hi.${ROOM}.${SECRET}`;
const RESIDENT = `hr1.ri.${ROOM}.${SECRET}`;
const folder = mkdtempSync(join(tmpdir(), "handraise-invite-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeInvite(name: string, mode: number, text = `${RESIDENT}\nmore\n`): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return `@${path}`;
}

describe("where the invite and the server come from", () => {
  const link = (origin: string): string => `${origin}/r#${RESIDENT}`;

  it.each([
    {
      what: "the environment",
      options: {},
      environment: { HANDRAISE_INVITE: RESIDENT, HANDRAISE_SERVER: "https://env.test" },
      server: "https://env.test",
    },
    {
      what: "a link in the environment, before HANDRAISE_SERVER",
      options: {},
      environment: {
        HANDRAISE_INVITE: link("https://link.test"),
        HANDRAISE_SERVER: "https://env.test",
      },
      server: "https://link.test",
    },
    {
      what: "--server before the link",
      options: { server: "https://option.test/some/path" },
      environment: { HANDRAISE_INVITE: link("https://link.test") },
      server: "https://option.test",
    },
    {
      what: "--invite before the environment",
      options: { invite: link("https://option.test") },
      environment: { HANDRAISE_INVITE: link("https://link.test") },
      server: "https://option.test",
    },
  ])("$what", async ({ options, environment, server }) => {
    const bench = new SurroundingsBench(environment);
    expect(await readDoor(options, "resident", bench)).toEqual({ server, invite: RESIDENT });
  });

  it("warns of an invite in the command line, and of no other", async () => {
    const server = "https://x.test";
    const literal = new SurroundingsBench();
    await readDoor({ invite: RESIDENT, server }, "resident", literal);
    expect(literal.complained).toMatch(/`ps` shows.*HANDRAISE_INVITE/);
    const quiet = new SurroundingsBench({ HANDRAISE_INVITE: RESIDENT });
    await readDoor({ server }, "resident", quiet);
    await readDoor({ server, invite: writeInvite("quiet", 0o600) }, "resident", quiet);
    expect(quiet.complained).toBe("");
  });

  it("takes the first line of stdin, in whatever pieces it comes, and leaves the rest", async () => {
    const bench = new SurroundingsBench();
    const reading = readDoor({ invite: "-", server: "https://x.test" }, "resident", bench);
    bench.stdin.write(RESIDENT.slice(0, 20));
    await new Promise((resolve) => setImmediate(resolve));
    bench.stdin.end(`${RESIDENT.slice(20)}\r\nsecond\n`);
    expect((await reading).invite).toBe(RESIDENT);
    expect(String(bench.stdin.read())).toBe("second\n");
  });

  it("takes a last line without its end, and says where none came", async () => {
    const options = { invite: "-", server: "https://x.test" };
    const bench = new SurroundingsBench();
    bench.stdin.end(RESIDENT);
    expect((await readDoor(options, "resident", bench)).invite).toBe(RESIDENT);
    const empty = new SurroundingsBench();
    empty.stdin.end();
    await expect(readDoor(options, "resident", empty)).rejects.toThrow(/no line came on stdin/);
  });

  it.runIf(process.platform !== "win32").each([0o644, 0o640, 0o604, 0o660, 0o610])(
    "does not use a file of mode %o",
    async (mode) => {
      const invite = writeInvite(`mode-${mode}`, mode);
      const reading = readDoor(
        { invite, server: "https://x.test" },
        "resident",
        new SurroundingsBench(),
      );
      await expect(reading).rejects.toThrow(/others may read this file.*chmod 600/);
    },
  );

  it.runIf(process.platform !== "win32").each([0o600, 0o400])(
    "reads the first line of a file of mode %o",
    async (mode) => {
      const invite = writeInvite(`fine-${mode}`, mode);
      const door = await readDoor(
        { invite, server: "https://x.test" },
        "resident",
        new SurroundingsBench(),
      );
      expect(door.invite).toBe(RESIDENT);
    },
  );

  it("is not taken where it was given twice, and neither is shown", async () => {
    const bench = new SurroundingsBench();
    const args = ["ask", "Deploy?", "--invite", RESIDENT, "--invite", `@${folder}/other`];
    expect(await runCommand(args, bench)).toBe(3);
    const { complained } = bench;
    expect(complained).toMatch(/^--invite stands there twice, so neither was used/);
    expect(complained).not.toMatch(/s3cret|other/);
  });

  it("says why a file cannot be read", async () => {
    const reading = readDoor({ invite: `@${folder}/none` }, "resident", new SurroundingsBench());
    await expect(reading).rejects.toThrow(/cannot be read \(ENOENT\)/);
  });
});

describe("what is refused, and what to do then", () => {
  it.each([
    { what: "no invite", invite: undefined, says: /No invite was given.*HANDRAISE_INVITE/ },
    { what: "a human's for a resident", invite: HUMAN, says: /invite for people/ },
    { what: "no invite at all", invite: "hello", says: /not an invite.*again, whole/ },
    { what: "half an invite", invite: RESIDENT.slice(0, -1), says: /not an invite/ },
    { what: "a token", invite: RESIDENT.replace(".ri.", ".rt."), says: /token, not an invite/ },
  ])("$what", async ({ invite, says }) => {
    const bench = new SurroundingsBench({
      HANDRAISE_SERVER: "https://x.test",
      ...(invite === undefined ? {} : { HANDRAISE_INVITE: invite }),
    });
    const error: unknown = await readDoor({}, "resident", bench).catch((error: unknown) => error);
    expect(error).toMatchObject({ exitCode: 3, message: expect.stringMatching(says) as string });
    expect(String(error)).not.toContain("s3cret");
  });

  it("an agent's for a person", async () => {
    const bench = new SurroundingsBench({ HANDRAISE_INVITE: RESIDENT });
    await expect(readDoor({ server: "https://x.test" }, "human", bench)).rejects.toThrow(
      /invite for an agent, which cannot answer/,
    );
  });

  it.each([undefined, "x.test", "ftp://x.test", "javascript:alert(1)"])(
    "%s as a server",
    async (server) => {
      const bench = new SurroundingsBench({ HANDRAISE_INVITE: RESIDENT });
      const options = server === undefined ? {} : { server };
      await expect(readDoor(options, "resident", bench)).rejects.toThrow(/https:\/\/example\.com/);
    },
  );
});

describe("the environment", () => {
  it("gives up every HANDRAISE_ variable, and nothing else", () => {
    const environment = {
      HANDRAISE_INVITE: "x",
      HANDRAISE_ANYTHING: "y",
      HANDRAISE_SERVER: "",
      PATH: "/bin",
    };
    expect(takeEnvironment(environment)).toEqual({
      HANDRAISE_INVITE: "x",
      HANDRAISE_ANYTHING: "y",
    });
    expect(environment).toEqual({ PATH: "/bin" });
  });
});
