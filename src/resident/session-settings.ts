import { isRecord } from "./json-record.ts";

/** One of the values that an agent offers for a setting. Both are the agent's own text. */
export interface Choice {
  id: string;
  name: string;
}

/** A config option of a session, as the agent reports it. */
export interface ConfigOption {
  id: string;
  name: string;
  category: string | undefined;
  current: string | boolean;
  /** None for a switch. */
  choices: Choice[];
}

/** The modes and config options of one session: what the agent last reported of them, in whichever of ACP's two ways. */
export class SessionSettings {
  #modes: Choice[] = [];
  #mode: string | undefined;
  #modeReports = 0;
  #config: ConfigOption[] = [];

  /** @param result of `session/new`, `session/load` or the like */
  constructor(result: unknown) {
    if (!isRecord(result)) return;
    const { modes } = result;
    if (isRecord(modes)) {
      this.#modes = readChoices(modes["availableModes"], "id");
      this.#noteMode(modes["currentModeId"]);
    }
    this.#noteConfig(result["configOptions"]);
  }

  /** The session's mode; undefined where the agent reports none. */
  get mode(): string | undefined {
    return this.#mode;
  }

  get modes(): readonly Choice[] {
    return this.#modeOption?.choices ?? this.#modes;
  }

  get config(): readonly ConfigOption[] {
    return this.#config;
  }

  /** The config option that is the mode, where the agent has one. */
  get modeOptionId(): string | undefined {
    return this.#modeOption?.id;
  }

  /** Takes one session update, or the result of setting something. */
  note(report: unknown): void {
    if (!isRecord(report)) return;
    this.#noteMode(report["currentModeId"]);
    this.#noteConfig(report["configOptions"]);
  }

  /**
   * To be called before the agent is told to set a mode; returns what takes its answer. ACP has it answer with nothing: the mode then
   * counts as set, unless the agent has reported one since.
   */
  expectMode(mode: string): (answer: unknown) => void {
    const before = this.#modeReports;
    return (answer) => {
      this.note(answer);
      if (this.#modeReports === before) this.#mode = mode;
    };
  }

  get #modeOption(): ConfigOption | undefined {
    return this.#config.find(({ category, choices }) => category === "mode" && choices.length > 0);
  }

  #noteMode(mode: unknown): void {
    if (typeof mode !== "string") return;
    this.#mode = mode;
    this.#modeReports += 1;
  }

  #noteConfig(options: unknown): void {
    if (!Array.isArray(options)) return;
    this.#config = options.flatMap(readConfigOption);
    this.#noteMode(this.#modeOption?.current);
  }
}

function readConfigOption(option: unknown): ConfigOption[] {
  if (!isRecord(option)) return [];
  const { id, name, category, currentValue, options } = option;
  if (typeof id !== "string") return [];
  if (typeof currentValue !== "string" && typeof currentValue !== "boolean") return [];
  return [
    {
      id,
      name: typeof name === "string" ? name : id,
      category: typeof category === "string" ? category : undefined,
      current: currentValue,
      choices: readChoices(options, "value"),
    },
  ];
}

/** Choices, also where the agent sorts them into groups. */
function readChoices(choices: unknown, idField: string): Choice[] {
  if (!Array.isArray(choices)) return [];
  return choices.flatMap((choice: unknown) => {
    if (!isRecord(choice)) return [];
    if (Array.isArray(choice["options"])) return readChoices(choice["options"], idField);
    const { [idField]: id, name } = choice;
    return typeof id === "string" ? [{ id, name: typeof name === "string" ? name : id }] : [];
  });
}
