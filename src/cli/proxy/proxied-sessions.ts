import { type AgentCall, applyChoices, type SessionChoices } from "../../resident/apply-choices.ts";
import type { Emit } from "../../resident/events.ts";
import { isRecord } from "../../resident/json-record.ts";
import { type AgentInfo, readAgentInfo } from "../../resident/agent-info.ts";
import type { Setting } from "../../resident/proxy/client-requests.ts";
import type { ProxyBridge } from "../../resident/proxy/proxy-bridge.ts";
import { SessionSettings } from "../../resident/session-settings.ts";
import { Turns } from "../../resident/turns.ts";
import { watchMode } from "../../resident/watch-mode.ts";
import { modeWarning, requireHeldBy } from "../resident/mode-warning.ts";

/** Sessions watched at most; an editor opens few. */
const SESSIONS = 256;

export interface ProxiedSessionsParts {
  choices: SessionChoices;
  restricts: boolean;
  say(line: string): void;
  emit: Emit;
}

/** The sessions that an editor opens: what the operator chose is set in each, and a change of mode is watched. */
export class ProxiedSessions {
  readonly #parts: ProxiedSessionsParts;
  readonly #sessions = new Map<string, { settings: SessionSettings; look(): void }>();
  readonly #turns = new Turns();
  #idle: (() => void) | undefined;
  #info: AgentInfo = { name: undefined, version: undefined };

  constructor(parts: ProxiedSessionsParts) {
    this.#parts = parts;
  }

  /** Takes the agent's answer to `initialize`. */
  noteAgent(result: unknown): void {
    this.#info = readAgentInfo(result);
  }

  /** @throws where what was chosen was not taken: the editor's prompts must not reach this session */
  async open(
    { sessionId, result }: { sessionId: string; result: unknown },
    call: AgentCall,
  ): Promise<void> {
    const { choices, restricts, say, emit } = this.#parts;
    const settings = new SessionSettings(result);
    requireHeldBy(restricts, this.#info);
    if (this.#sessions.size >= SESSIONS) this.#sessions.clear();
    const session = { settings, look: (): void => undefined };
    // Before anything is set: what the agent reports meanwhile says whether it was.
    this.#sessions.set(sessionId, session);
    await applyChoices(sessionId, settings, choices, call);
    const warning = modeWarning(this.#info, settings, choices.mode !== undefined);
    if (warning !== undefined) say(warning);
    session.look = watchMode(this.#info, settings, emit, choices.mode);
  }

  /** Takes what the agent answered when the editor had it set a mode or a config option. */
  noteSetting({ sessionId, modeId, configId, value }: Setting, answer: unknown): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    const { settings } = session;
    // That it is no error is its word for the mode, where the answer itself reports none.
    const isMode = configId !== undefined && configId === settings.modeOptionId;
    settings.note({ currentModeId: isMode ? value : modeId });
    settings.note(answer);
    session.look();
  }

  /** Sessions in whose turn the agent is. */
  get busy(): readonly string[] {
    return this.#turns.sessions;
  }

  /** Resolves when no turn runs. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.busy.length === 0) resolve();
      else this.#idle = resolve;
    });
  }

  /** The bridge, with an eye on changes of mode. */
  watching(bridge: ProxyBridge): ProxyBridge {
    return {
      startTurn: (sessionId, turnId) => {
        this.#turns.start(sessionId, turnId);
        bridge.startTurn(sessionId, turnId);
      },
      cancelTurn: (sessionId) => bridge.cancelTurn(sessionId),
      endTurn: (sessionId, turnId) => {
        bridge.endTurn(sessionId, turnId);
        this.#turns.end(sessionId, turnId);
        if (this.busy.length === 0) this.#idle?.();
      },
      ask: (incoming) => bridge.ask(incoming),
      endAgent: () => bridge.endAgent(),
      noteUpdate: (params, findFlaw) => {
        bridge.noteUpdate(params, findFlaw);
        this.#note(params);
      },
    };
  }

  #note(params: unknown): void {
    if (!isRecord(params) || typeof params["sessionId"] !== "string") return;
    const session = this.#sessions.get(params["sessionId"]);
    session?.settings.note(params["update"]);
    session?.look();
  }
}
