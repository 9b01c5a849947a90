import type { Answer } from "./answers.ts";
import type { Through } from "./command.ts";
import type { TaskName } from "./tasks.ts";
import type { SeenOption } from "./transcript-entries.ts";

/**
 * `ok`: played to its end, and nothing unsafe. `unsafe`: something was. `failed`: it could not be played. `absent`: this agent has
 * nothing of the kind.
 */
export type Status = "ok" | "unsafe" | "failed" | "absent";

/** What one case showed. */
export interface Facts {
  /** Cards that people were shown. */
  cards: number;
  /** The tool kind and the options of the first. */
  toolKind?: string;
  options?: SeenOption[];
  /** How often each effect took place, in the order in which they were asked about. */
  ran: Record<string, number>;
  /** Those that took place without an answer. */
  unasked: string[];
  /** A stop reason; `error` or `none`. */
  turnEnd: string;
  /** Questions that the agent still put after it was told to stop. */
  lateAsks: number;
  /** Questions that were still open when the agent had ended its turn; the command closed them. */
  dangling: number;
  /** Where the session was in another mode afterwards. */
  changedMode?: string;
}

interface ResultBase {
  id: string;
  agent: string;
  status: Status;
  /** What was unsafe, or why it failed or is absent. */
  why: string[];
  seconds: number;
}

/** What became of a second request after somebody had pressed an `allow_always`. */
export type AfterAlways = "asked again" | "ran unasked" | "not tried";
export interface AlwaysFacts {
  sameTurn: AfterAlways;
  nextTurn: AfterAlways;
  newProcess: AfterAlways;
  outside: AfterAlways;
}

/** Whether one task was asked about in one mode. */
export type InMode = "asked" | "ran unasked" | "neither";

export type CaseResult = ResultBase &
  (
    | { what: "probe" }
    | { what: "answer"; task: TaskName; answer: Answer; through: Through; facts?: Facts }
    | { what: "mode"; mode: string; task: TaskName; inMode?: InMode }
    | { what: "always"; always?: AlwaysFacts }
    | { what: "proof"; proof: string; through: Through; facts?: Facts; measured?: string }
  );

/** Everything that was found about one agent. */
export interface AgentReport {
  name: string;
  version: string;
  /** As it calls itself in `initialize`. */
  acpName: string;
  asking: "mode" | "configuration";
  install: string | undefined;
  note: string | undefined;
  mode: string | undefined;
  /** In the order in which it offers them. */
  modes: string[];
  results: CaseResult[];
}
