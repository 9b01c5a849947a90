import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { buildProgram } from "../../src/cli/program.ts";
import { runCommand } from "../../src/cli/run-command.ts";
import { SurroundingsBench } from "./surroundings-bench.ts";

const COMMANDS = buildProgram(new SurroundingsBench(), () => undefined).commands.map((command) =>
  command.name(),
);

async function run(...args: string[]) {
  const bench = new SurroundingsBench();
  const exitCode = await runCommand(args, bench);
  return { exitCode, stdout: bench.printed, stderr: bench.complained };
}

describe("help", () => {
  it("has the commands", () => {
    expect(COMMANDS).toEqual(expect.arrayContaining(["room", "ask", "watch"]));
  });

  it.each([[], ...COMMANDS.map((name) => [name])])(
    "of “%s” goes to stdout and is a success",
    async (...name) => {
      const { exitCode, stdout, stderr } = await run(...name.filter(Boolean), "--help");
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toMatch(new RegExp(`^Usage: handraise ${name[0] ?? ""}`));
    },
  );

  it.each(COMMANDS)("of “%s” is what `help` tells of it", async (name) => {
    expect(await run("help", name)).toEqual(await run(name, "--help"));
  });

  it("tells how a time is written", async () => {
    for (const name of ["ask", "run", "proxy"]) {
      const { stdout } = await run(name, "--help");
      const times = stdout.replace(/\s+/g, " ").match(/90s, 5m, 2h; a bare number is seconds/g);
      expect(times).toHaveLength(2);
    }
  });

  it("of `watch` tells what takes a second press, what r does, and how to address", async () => {
    const { stdout } = await run("watch", "--help");
    expect(stdout).toMatch(/may remember\s+is asked about, and pressed by a second 2, or y/);
    expect(stdout).toMatch(/^ +r +dismiss the card/m);
    expect(stdout).toMatch(/^ +to NAME TEXT +write to one agent/m);
  });

  it("of `ask` tells whose exit code a Ctrl-C has under npx", async () => {
    const { stdout } = await run("ask", "--help");
    expect(stdout).toMatch(/npx or npm the exit code of a Ctrl-C is npm's own, 130/);
  });

  it.each(["run", "proxy"])("of `%s` tells what is shown in spite of redaction", async (name) => {
    const { stdout } = await run(name, "--help");
    const text = stdout.replace(/\s+/g, " ");
    expect(text).toContain("Common words, paths and bare server addresses count as no secret");
    expect(text).toContain("an option's name is never changed");
  });

  it("names the version", async () => {
    expect(await run("--version")).toEqual({
      exitCode: 0,
      stdout: `${packageJson.version}\n`,
      stderr: "",
    });
  });
});

describe("a usage error", () => {
  it.each([
    { what: "no command", args: [] },
    { what: "an unknown command", args: ["dance"] },
    { what: "an unknown option", args: ["ask", "Deploy?", "--force"] },
    { what: "no question", args: ["ask"] },
    { what: "an empty question", args: ["ask", " "] },
    { what: "two questions", args: ["ask", "a", "b"] },
    { what: "no time", args: ["ask", "a", "--expires-in", "soon"] },
    { what: "too much time", args: ["ask", "a", "--expires-in", "25h"] },
    { what: "no such choice", args: ["ask", "a", "--if-no-human", "allow"] },
    { what: "no option", args: ["ask", "a", "--option", "yes"] },
    { what: "no server", args: ["room"] },
  ])("is exit code 3 with a word on stderr: $what", async ({ args }) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: "" });
    expect(stderr).toMatch(/\w/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it.each(["run", "proxy", "doctor"])("of `%s` without an agent shows its usage", async (name) => {
    const { stderr } = await run(name);
    expect(stderr).toMatch(/missing required argument 'agent'/);
    expect(stderr).toContain(`Usage: handraise ${name} [options] -- AGENT [ARGS…]`);
  });

  it.each([
    ["run", "--prompt", "x", "node", "agent.mjs", "--mode", "default"],
    ["run", "node", "--", "agent.mjs"],
    ["proxy", "node", "agent.mjs"],
    ["doctor", "--mode", "ask", "agent"],
  ])("is an agent's command without -- before it: %s", async (...args) => {
    const { exitCode, stderr } = await run(...args);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(
      /^Write -- before the agent's command, so that its options are its own\. Nothing was started/,
    );
  });

  it.each([
    ["run", "--prompt", "x", "--", "node", "agent.mjs", "--mode", "default"],
    ["proxy", "--", "node", "--", "agent.mjs"],
  ])("is none with -- there, whatever else is missing: %s", async (...args) => {
    expect((await run(...args)).stderr).toMatch(/^No invite was given/);
  });

  it("of a question without quotes says so", async () => {
    const { exitCode, stderr } = await run("ask", "Deploy", "4.2?");
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^Put the question in quotes/);
  });

  it("quotes no credential, and nothing that acts on a terminal", async () => {
    const credential = `hr1.ri.${"A".repeat(43)}.${"B".repeat(43)}`;
    const { exitCode, stderr } = await run("ask", "a", `--invit\u001B[2J=${credential}`);
    expect(exitCode).toBe(3);
    expect(stderr).toContain("hr1.ri.…");
    expect(stderr).not.toContain("BBBB");
    expect(stderr).not.toContain("\u001B");
  });
});
