import { DecisionLog } from "../../resident/decision-log.ts";
import { describeEvent, type ResidentEvent } from "../../resident/events.ts";
import { CommandFailure } from "../exit.ts";
import { jsonLine } from "../json-line.ts";
import type { ResidentOptions } from "../resident-options.ts";
import { safeText } from "../safe-text.ts";
import type { Output } from "../surroundings.ts";

/** Whether an event went as wished. */
function isRoutine(event: ResidentEvent): boolean {
  switch (event.type) {
    case "asked":
    case "tool_finished":
    case "room_reached":
    case "turn_started":
      return true;
    case "settled":
      return event.reading === "approve";
    case "turn_ended":
      return event.end.kind === "answered" && event.end.stopReason === "end_turn";
    default:
      return false;
  }
}

export interface ReporterParts {
  /** What the agent is called in the log. */
  agent: string;
  stderr: Output;
  /** Where `--json` prints events. */
  events: Output;
  /** Called before each line: whatever else is on the terminal's line makes way. */
  beforeLine(): void;
}

/** Tells people and logs what happens at a resident. */
export class Reporter {
  readonly #options: Pick<ResidentOptions, "quiet" | "json">;
  readonly #stderr: Output;
  readonly #events: Output;
  readonly #log: DecisionLog | undefined;
  readonly #beforeLine: () => void;
  #logFailed = false;

  /** @throws CommandFailure where the log cannot be opened */
  constructor(options: Pick<ResidentOptions, "quiet" | "json" | "log">, parts: ReporterParts) {
    this.#options = options;
    this.#stderr = parts.stderr;
    this.#events = parts.events;
    this.#beforeLine = parts.beforeLine;
    this.#log = options.log === undefined ? undefined : openLog(options.log, parts.agent);
  }

  readonly emit = (event: ResidentEvent): void => {
    this.#keep(event);
    if (this.#options.json === true) this.#events.write(jsonLine({ ...event }));
    else {
      const line = describeEvent(event);
      const isLeftOut = this.#options.quiet === true && isRoutine(event);
      if (line !== undefined && !isLeftOut) this.say(line);
    }
  };

  /** A line for people; never the agent's own words but through `safeText`, as here. */
  readonly say = (line: string): void => {
    this.#beforeLine();
    this.#stderr.write(`${safeText(line)}\n`);
  };

  #keep(event: ResidentEvent): void {
    try {
      this.#log?.note(event);
    } catch (error) {
      // What was decided is decided; that it is not written down is said, once.
      if (this.#logFailed) return;
      this.#logFailed = true;
      const code = (error as NodeJS.ErrnoException).code ?? "unknown";
      this.say(`The decision log cannot be written (${code}). Decisions go on without it.`);
    }
  }
}

function openLog(file: string, agent: string): DecisionLog {
  try {
    return new DecisionLog(file, agent);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    throw new CommandFailure(
      `The decision log cannot be written to (${code}). Nothing was started. Check --log and the rights of its folder.`,
      undefined,
      { cause: error },
    );
  }
}
