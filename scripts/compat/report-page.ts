import { code, writeTable } from "./markdown.ts";
import { writeAgent } from "./report-agent.ts";
import type { Found } from "./report-json.ts";
import { REPEATING, explain } from "./report-texts.ts";
import { describeCell, describeRan, describeStatus } from "./report-words.ts";
import type { AgentReport, AlwaysFacts, CaseResult } from "./result.ts";

/** docs/compatibility.md */
export function writeCompatibilityPage(found: Found): string {
  const { reports, notRun } = found;
  return `${[
    "# What agents do with an answer",
    explain(found.date),
    "## At a glance",
    writeGlance(reports),
    "## Unsafe results",
    writeUnsafe(reports),
    "## When something breaks in the middle",
    writeProofs(reports),
    ...reports.map(writeAgent),
    "## Agents that were not run here",
    writeTable(
      ["agent", "version", "why"],
      notRun.map(({ name, version, notRun }) => [name, version ?? "–", notRun]),
    ),
    REPEATING,
  ].join("\n\n")}\n`;
}

const ALWAYS_WORDS: Record<keyof AlwaysFacts, string> = {
  sameTurn: "after allow always: the same command in the same turn",
  nextTurn: "… in the next turn",
  newProcess: "… in a new process",
  outside: "… a redirect outside the folder",
};

function writeGlance(reports: readonly AgentReport[]): string {
  const rows: [string, (report: AgentReport) => string][] = [
    ["mode", ({ mode }) => (mode === undefined ? "by its configuration" : code(mode))],
    ["command, allowed once", (report) => describeCell(report, "shell", "allow_once")],
    ["command, refused", (report) => describeCell(report, "shell", "refuse")],
    ["command, `cancelled`", (report) => describeCell(report, "shell", "dismiss")],
    ["command, stopped", (report) => describeCell(report, "shell", "stop")],
    [
      "two at once: first allowed, second refused",
      (r) => describeCell(r, "parallel", "allow_once"),
    ],
    ["two at once: first refused, second allowed", (r) => describeCell(r, "parallel", "refuse")],
    ["its question left open at the end of a turn", describeDangling],
    ...(Object.keys(ALWAYS_WORDS) as (keyof AlwaysFacts)[]).map(
      (key): [string, (report: AgentReport) => string] => [
        ALWAYS_WORDS[key],
        (report) => describeAlways(report, key),
      ],
    ),
  ];
  return writeTable(
    ["", ...reports.map(({ name, version }) => `${name} ${version}`)],
    rows.map(([words, describe]) => [words, ...reports.map(describe)]),
  );
}

function describeAlways(report: AgentReport, key: keyof AlwaysFacts): string {
  const result = report.results.find((found) => found.what === "always");
  if (result === undefined) return "not played";
  const status = describeStatus(result);
  if (status !== undefined || result.what !== "always") return status ?? "nothing";
  return result.always?.[key] ?? "nothing";
}

function describeDangling({ results }: AgentReport): string {
  const left = results.filter((found) => found.what === "answer" && found.facts?.dangling);
  if (left.length === 0) return "never";
  return `in ${left.length} cases; its card was closed each time`;
}

function writeUnsafe(reports: readonly AgentReport[]): string {
  const results = reports.flatMap(({ results }) => results);
  const bad = results.filter(({ status }) => status === "unsafe" || status === "failed");
  const played = results.filter(({ status }) => status !== "absent").length;
  if (bad.length === 0) return `None in ${played} cases, and none failed.`;
  return writeTable(
    ["agent", "case", "", "what"],
    bad.map(({ agent, id, status, why }) => [
      agent,
      code(id),
      status,
      why.map((text) => code(text)).join(", "),
    ]),
  );
}

const PROOF_WORDS: Readonly<Record<string, string>> = {
  late: "a person decides after 90 s",
  "room-restart": "the Room's server is killed and started again under a card, then allow once",
  "resident-restart": "`run` is killed with SIGKILL under a card, and started again",
};

function writeProofs(reports: readonly AgentReport[]): string {
  const proofs = [...new Set(reports.flatMap(({ results }) => results.flatMap(proofKey)))];
  if (proofs.length === 0) return "Not played.";
  const rows = proofs.map((key) => [
    describeProofKey(key),
    ...reports.map(({ results }) => {
      const result = results.find((found) => proofKey(found)[0] === key);
      return result === undefined ? "not played" : describeProof(result);
    }),
  ]);
  return writeTable(["", ...reports.map(({ name }) => name)], rows);
}

function proofKey(result: CaseResult): string[] {
  return result.what === "proof" ? [`${result.proof}/${result.through}`] : [];
}

function describeProofKey(key: string): string {
  const [proof = "", through = ""] = key.split("/");
  return `${PROOF_WORDS[proof] ?? proof} (\`${through}\`)`;
}

function describeProof(result: CaseResult): string {
  const status = describeStatus(result);
  if (status !== undefined || result.what !== "proof") return status ?? "nothing";
  const { facts, measured } = result;
  const ran = facts === undefined ? "nothing" : `${describeRan(facts)}; ${code(facts.turnEnd)}`;
  return measured === undefined ? ran : `${ran}; ${measured}`;
}
