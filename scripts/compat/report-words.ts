import { code } from "./markdown.ts";
import type { AgentReport, CaseResult, Facts } from "./result.ts";
import type { Answer } from "./answers.ts";
import type { Through } from "./command.ts";
import type { TaskName } from "./tasks.ts";

export type AnswerResult = Extract<CaseResult, { what: "answer" }>;

/** How the report names each task, and each answer. */
export const TASK_WORDS: Partial<Record<TaskName, string>> = {
  shell: "command",
  plain: "command in its sandbox",
  outside: "command that writes outside",
  write: "new file",
  edit: "edit",
  fetch: "fetch",
  plan: "leaving plan mode",
  parallel: "two commands at once",
};
export const ANSWER_WORDS: Record<Answer, string> = {
  allow_once: "allow once",
  allow_always: "allow always",
  refuse: "refuse",
  dismiss: "dismiss",
  expire: "nobody answers",
  stop: "stop",
  kill_agent: "agent killed",
};

/** Both ways of one cell in one: apart only where they differ. */
export function describeCell(report: AgentReport, task: TaskName, answer: Answer): string {
  const [run, proxy] = (["run", "proxy"] as const).map((through) =>
    describeResult(findAnswer(report, task, answer, through)),
  );
  if (run === proxy) return run ?? "";
  return `\`run\`: ${run}; \`proxy\`: ${proxy}`;
}

export function findAnswer(
  report: AgentReport,
  task: TaskName,
  answer: Answer,
  through: Through,
): AnswerResult | undefined {
  return report.results
    .filter((result) => result.what === "answer")
    .find((r) => r.task === task && r.answer === answer && r.through === through);
}

/** What was found, or why nothing was. */
export function describeStatus({ status, why }: CaseResult): string | undefined {
  switch (status) {
    case "ok":
      return undefined;
    case "absent":
      return "–";
    case "failed":
    case "unsafe":
      return `**${status}**: ${why.map(code).join(", ")}`;
  }
}

function describeResult(result: AnswerResult | undefined): string {
  if (result === undefined) return "not played";
  const { facts } = result;
  const status = describeStatus(result);
  if (status !== undefined || facts === undefined) return status ?? "nothing";
  const mode = facts.changedMode === undefined ? "" : `, mode is now ${code(facts.changedMode)}`;
  const late = facts.lateAsks === 0 ? "" : ", asks once more";
  const dangling = facts.dangling === 0 ? "" : ", leaves its question open";
  return `${describeRan(facts)}; ${describeEnd(facts)}${mode}${late}${dangling}`;
}

/** What was found on disk. Of two effects the one that was asked about first comes first. */
export function describeRan({ ran, unasked }: Pick<Facts, "ran" | "unasked">): string {
  const counts = Object.entries(ran);
  const words = counts.map(([name, count]) => {
    if (count === 0) return "not run";
    const times = count === 1 ? "ran" : `ran ${count} times`;
    return unasked.includes(name) ? `${times} unasked` : times;
  });
  if (words.length !== 2) return words.join(", ");
  return `first ${words[0]}, second ${words[1]}`;
}

function describeEnd({ turnEnd }: Facts): string {
  if (turnEnd === "none") return "process ended";
  return turnEnd === "error" ? "turn failed" : code(turnEnd);
}
