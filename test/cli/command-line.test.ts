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

  it("quotes no credential, and nothing that acts on a terminal", async () => {
    const credential = `hr1.ri.${"A".repeat(43)}.${"B".repeat(43)}`;
    const { exitCode, stderr } = await run("ask", "a", `--invit\u001B[2J=${credential}`);
    expect(exitCode).toBe(3);
    expect(stderr).toContain("hr1.ri.…");
    expect(stderr).not.toContain("BBBB");
    expect(stderr).not.toContain("\u001B");
  });
});
