import { randomUUID } from "node:crypto";
import type { ClientRequests, Setting } from "./client-requests.ts";
import { type Message, type MessageId, paramsOf, showId } from "./message.ts";
import type { PassedRequests } from "./passed-requests.ts";
import type { ProxyBridge } from "./proxy-bridge.ts";
import type { ReadLine, Verdict } from "./screened-line.ts";
import type { SessionGate } from "./session-gate.ts";

export interface FromClientParts {
  bridge: ProxyBridge;
  clientRequests: ClientRequests;
  passed: PassedRequests;
  gate: SessionGate;
  onDiagnostic(text: string): void;
}

const PASS: Verdict = { pass: true };

/** Judges what the client sends. */
export class FromClient {
  readonly #parts: FromClientParts;

  constructor(parts: FromClientParts) {
    this.#parts = parts;
  }

  /** Whether a line must wait for what is done in a session. */
  mustWait(line: ReadLine): boolean {
    return this.#parts.gate.holds(line.parts.some(({ message }) => isPrompt(message)));
  }

  judge(message: Message): Verdict {
    const { ids, methods, hasResult, value } = message;
    if (hasResult || (methods.length === 0 && ids.length > 0)) return this.#takeAnswer(message);
    const [id] = ids;
    const params = paramsOf(message);
    const { sessionId } = params;
    const session = typeof sessionId === "string" ? sessionId : undefined;
    if (value["method"] === "session/cancel" && session !== undefined) {
      // The agent learns of the end of its turn before it learns that its tool was not allowed, or it would go on with the next.
      return { pass: true, after: () => this.#parts.bridge.cancelTurn(session) };
    }
    if (id !== undefined) this.#takeRequest(value["method"], id, session, params);
    return PASS;
  }

  #takeRequest(
    method: unknown,
    { key }: MessageId,
    sessionId: string | undefined,
    { modeId, configId, value }: Record<string, unknown>,
  ): void {
    const { clientRequests, bridge, gate } = this.#parts;
    const addSetting = (setting: Omit<Setting, "sessionId">): void => {
      if (sessionId === undefined) return;
      clientRequests.add(key, { kind: "setting", setting: { sessionId, ...setting } });
    };
    switch (method) {
      case "initialize":
        clientRequests.add(key, { kind: "initialize" });
        break;
      case "session/new":
      case "session/load":
      case "session/resume":
      case "session/fork":
        clientRequests.add(key, { kind: "opening", sessionId });
        gate.expect();
        break;
      case "session/set_mode":
        addSetting({ modeId });
        break;
      case "session/set_config_option":
        addSetting({ configId, value });
        break;
      case "session/prompt": {
        if (sessionId === undefined) break;
        const turnId = randomUUID();
        clientRequests.add(key, { kind: "prompt", sessionId, turnId });
        bridge.startTurn(sessionId, turnId);
      }
    }
  }

  #takeAnswer({ ids }: Message): Verdict {
    const { passed, onDiagnostic } = this.#parts;
    const [id] = ids;
    if (id !== undefined && ids.length === 1 && passed.take(id.key)) return PASS;
    const named = ids.map(showId).join(", ") || "without an id";
    onDiagnostic(`An answer of the client, ${named}, was dropped: nothing asked it.`);
    return { pass: false };
  }
}

function isPrompt(message: Message | undefined): boolean {
  return message?.value["method"] === "session/prompt";
}
