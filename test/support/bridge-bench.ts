import type { ResidentEvent } from "../../src/resident/events.ts";
import type { Answer } from "../../src/resident/incoming-ask.ts";
import type { AskSettings } from "../../src/resident/parked-ask.ts";
import { ASK_ALWAYS } from "../../src/resident/policy-files.ts";
import { type BridgeParts, PermissionBridge } from "../../src/resident/permission-bridge.ts";
import { FakeClock } from "./fake-clock.ts";
import { FakeRoom, STD } from "./fake-room.ts";

export const SESSION = "session-1";
export const EXPIRES_IN_MS = 60_000;

/** One ask as the agent's side of a test sees it. */
export interface Asked {
  answers: Answer[];
  answered: Promise<Answer>;
  takeBack: AbortController;
}

/** A permission bridge between a played agent and a played Room, on a clock that stands still. */
export class BridgeBench {
  readonly room = new FakeRoom();
  readonly clock = new FakeClock();
  readonly events: ResidentEvent[] = [];
  readonly bridge: PermissionBridge;
  /** In place of a successful write of an answer. */
  writeAnswer: () => Promise<void> = () => Promise.resolve();
  #ids = 0;

  constructor(settings: Partial<AskSettings> = {}, parts: Partial<BridgeParts> = {}) {
    this.bridge = new PermissionBridge({
      room: this.room,
      clock: this.clock,
      newRequestId: () => `request-${(this.#ids += 1)}`,
      settings: { expiresInMs: EXPIRES_IN_MS, ...settings },
      emit: (event) => this.events.push(event),
      accepts: "own",
      policy: ASK_ALWAYS,
      shape: (toolCall) => toolCall,
      ...parts,
    });
    this.room.handlers = this.bridge;
    this.bridge.openSession(SESSION);
    this.bridge.startTurn(SESSION, "turn-1");
  }

  /** Asks with raw params. */
  askRaw(params: unknown): Asked {
    const answers: Answer[] = [];
    const takeBack = new AbortController();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.bridge.ask({
      params,
      signal: takeBack.signal,
      give: (answer) => {
        answers.push(answer);
        resolve(answer);
        return this.writeAnswer();
      },
    });
    return { answers, answered: promise, takeBack };
  }

  ask(toolCall: object = { toolCallId: "t1", kind: "execute" }, options: unknown = STD): Asked {
    return this.askRaw({ sessionId: SESSION, toolCall, options });
  }

  update(update: object): void {
    this.bridge.noteUpdate({ sessionId: SESSION, update });
  }

  reasons(): string[] {
    return this.events.flatMap((event) => (event.type === "settled" ? [event.reason] : []));
  }

  diagnostics(): string[] {
    return this.events.flatMap((event) => (event.type === "diagnostic" ? [event.text] : []));
  }
}

export const CANCELLED: Answer = { outcome: { outcome: "cancelled" } };

export function selected(optionId: string): Answer {
  return { outcome: { outcome: "selected", optionId } };
}

/** Lets every promise that can go on go on. */
export async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
