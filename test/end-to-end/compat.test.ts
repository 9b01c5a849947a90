import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Ledger } from "../../scripts/compat/ledger.ts";
import { TASKS } from "../../scripts/compat/tasks.ts";
import { findInTranscript } from "../../scripts/compat/transcript-findings.ts";
import { Transcript } from "../../scripts/compat/transcript.ts";
import { ROOT } from "../../scripts/project.ts";
import { askingIn, findKnownAgent } from "../../src/resident/known-agents.ts";
import { Handraise } from "../support/handraise.ts";
import type { Fault } from "../support/compat-agent.ts";

const AGENT = `${ROOT}test/support/compat-agent.ts`;
const folder = mkdtempSync(join(tmpdir(), "handraise-compat-test-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `npm run compat` without npm. */
function startCompat(rows: readonly object[], args: readonly string[]): Handraise {
  const file = join(folder, `agents-${rows.length}.json`);
  writeFileSync(file, JSON.stringify(rows));
  const command = { file: process.execPath, args: [`${ROOT}scripts/compat.ts`] };
  // npm leaves the folder that it was called in; relative paths start there.
  return new Handraise(["--agents", file, ...args], { command, env: { INIT_CWD: folder } });
}

function rowOf(name: string, fault?: Fault): object {
  const node = `'${process.execPath}' '${AGENT}'`;
  return {
    name,
    version: "1.0.0",
    command: fault === undefined ? node : `${node} --fault ${fault}`,
    prompt: `${node} --print-prompt {case} {dir} {url} {outside}`,
    mode: "default",
    asking: "mode",
    cases: { plan: { mode: "plan" } },
  };
}

describe("npm run compat, on the project's scripted agent", () => {
  let output = "";
  let exitCode: number | null = null;

  beforeAll(async () => {
    const more = ["parallel/allow_once/run", "plan/allow_once/proxy", "write/refuse/proxy"];
    const parts = [
      "shell",
      "modes",
      "always",
      "resident-restart",
      "fetch/allow_once/run",
      ...more,
    ].join();
    const compat = startCompat([rowOf("scripted")], ["--cases", parts, "--out", "found"]);
    exitCode = await compat.exitCode();
    output = compat.stdout + compat.stderr;
  }, 240_000);

  it("finds nothing unsafe in an agent that waits for its answers, and ends with 0", () => {
    expect(output).toMatch(/^\d\d cases: 0 unsafe, 0 failed, 0 that/m);
    for (const id of ["shell/refuse/run", "shell/stop/proxy", "parallel/allow_once/run"]) {
      expect(output).toContain(`ok  scripted  ${id}  `);
    }
    expect(exitCode).toBe(0);
  });

  it("writes in which modes it asks, as the command reads it", () => {
    const { agents } = JSON.parse(readFileSync(join(folder, "found/compatibility.json"), "utf8"));
    const known = findKnownAgent("scripted", agents);
    expect(known?.version).toBe("1.0.0");
    const asking = ["default", "acceptEdits", "plan", "auto"].map((mode) => askingIn(known, mode));
    expect(asking).toEqual(["asks", "partly", "asks", "never"]);
  });

  it("writes a page with what each answer did, what always did, and the agents that were not run", () => {
    const page = readFileSync(join(folder, "found/compatibility.md"), "utf8");
    const cells = page
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .map((line) => line.split("|").map((cell) => cell.trim()));
    const row = (first: string): string[] | undefined => cells.find((cell) => cell[1] === first);
    expect(row("command, allowed once")?.[2]).toBe("ran; `end_turn`");
    expect(row("command, refused")?.[2]).toBe("not run; `end_turn`");
    expect(row("two at once: first allowed, second refused")?.[2]).toContain(
      "first ran, second not run; `end_turn`",
    );
    expect(row("after allow always: the same command in the same turn")?.[2]).toBe("ran unasked");
    expect(row("… in a new process")?.[2]).toBe("asked again");
    expect(row("… a redirect outside the folder")?.[2]).toBe("asked again");
    for (const agent of ["hermes", "pi", "gemini-cli", "qwen-code", "copilot"]) {
      expect(row(agent)?.[3]).toMatch(/^not run here/);
    }
    expect(page).toMatch(/^Measured on 20\d\d-\d\d-\d\d by `npm run compat`/m);
    expect(page).toContain("`once` (allow_once), `always` (allow_always), `no` (reject_once)");
  });
});

it(
  "npm run compat names what an unsafe agent does, and ends with 1",
  { timeout: 240_000 },
  async () => {
    const faults = [
      "asks_nobody",
      "runs_before",
      "ignores_refusal",
      "runs_twice",
      "never_ends",
      "keeps_mode",
    ] as const satisfies Fault[];
    const compat = startCompat(
      faults.map((fault) => rowOf(fault.replace("_", "-"), fault)),
      ["--cases", "shell/refuse/run,shell/allow_once/proxy", "--turn-limit", "10"],
    );
    expect(await compat.exitCode()).toBe(1);
    const lines = compat.stdout.split("\n");
    const found = (agent: string, id: string): string | undefined =>
      lines.find((line) => line.includes(`  ${agent}  ${id}  `));
    expect(found("asks-nobody", "shell/refuse/run")).toMatch(
      /^UNSAFE.*shell: ran without being asked about/,
    );
    expect(found("runs-before", "shell/refuse/run")).toMatch(
      /^UNSAFE.*shell: ran before anybody had answered/,
    );
    expect(found("ignores-refusal", "shell/refuse/run")).toMatch(
      /^UNSAFE.*shell: ran after a refusal/,
    );
    expect(found("ignores-refusal", "shell/allow_once/proxy")).toMatch(/^ok/);
    expect(found("runs-twice", "shell/allow_once/proxy")).toMatch(
      /^UNSAFE.*shell: ran 2 times for 1 allow/,
    );
    expect(found("never-ends", "shell/refuse/run")).toMatch(/^UNSAFE.*the turn never ended/);
    for (const id of ["shell/refuse/run", "shell/allow_once/proxy"]) {
      expect(found("keeps-mode", id)).toMatch(/^failed.*did not set mode/);
    }
  },
);

describe("what a transcript of an agent's stdio gives away", () => {
  const opened = [
    ["to", { id: 1, method: "session/new", params: {} }],
    ["from", { id: 1, result: { modes: { currentModeId: "default", availableModes: [] } } }],
    ["to", { id: 2, method: "session/prompt", params: {} }],
    ["from", { id: 0, method: "session/request_permission", params: { options: [] } }],
  ] as const;
  const selected = (optionId: string): object => ({
    id: 0,
    result: { outcome: { outcome: "selected", optionId } },
  });

  it.each([
    ["nothing, where a pressed option arrived", [["to", selected("yes")]], "default", []],
    [
      "an option that nobody pressed",
      [["to", selected("no")]],
      "default",
      ["the agent was told an option that nobody had pressed"],
    ],
    [
      "an allow after a stop",
      [
        ["to", { method: "session/cancel", params: {} }],
        ["from", { id: 5, method: "session/request_permission", params: { options: [] } }],
        ["to", selected("yes")],
        ["to", { ...selected("yes"), id: 5 }],
      ],
      "default",
      ["a question that came after a stop was not answered cancelled"],
    ],
    [
      "an error in place of an answer",
      [["to", { id: 0, error: { code: -1 } }]],
      "default",
      ["the agent was given an answer that is none"],
    ],
    ["no answer", [], "default", ["a question of the agent's was left without an answer"]],
    [
      "a mode that was not set",
      [["to", selected("yes")]],
      "plan",
      ["mode plan was asked for, and the agent was prompted in default"],
    ],
  ] as const)("%s", (_, more, mode, findings) => {
    const file = join(folder, "transcript.jsonl");
    const lines = [...opened, ...more].map(([way, message]) =>
      JSON.stringify({ way, line: JSON.stringify(message) }),
    );
    writeFileSync(file, `${lines.join("\n")}\n`);
    const known = { settings: { mode }, pressed: ["yes"], unanswered: "none" } as const;
    expect(findInTranscript(new Transcript(file), known)).toEqual(findings);
  });
});

it("a second run for one allow counts also where another effect was allowed", () => {
  const ledger = new Ledger({ dir: folder, outside: folder, fetched: join(folder, "none") }, false);
  writeFileSync(join(folder, "ran.txt"), "ran-A\nran-A\nran-B\n");
  ledger.expect(TASKS.parallel.effects);
  const allow = {
    toolKind: "execute",
    press: "allow_once",
    optionId: "once",
    isTaken: true,
  } as const;
  ledger.note({ effect: "A", ...allow });
  ledger.note({ effect: "B", ...allow });
  expect(ledger.findUnsafe()).toEqual(["A: ran 2 times for 1 allow"]);
});
