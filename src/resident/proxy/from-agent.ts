import { isRecord } from "../json-record.ts";
import { ACP_VERSION } from "../acp-connection.ts";
import { readAgentLine } from "../agent-line.ts";
import type { AgentInput } from "./agent-input.ts";
import type { ClientRequests, Setting } from "./client-requests.ts";
import type { HeldAsks } from "./held-asks.ts";
import { keyOf, type Message, paramsOf, showId } from "./message.ts";
import type { OwnRequests } from "./own-requests.ts";
import type { PassedRequests } from "./passed-requests.ts";
import type { ProxyBridge } from "./proxy-bridge.ts";
import type { Verdict } from "./screened-line.ts";
import type { SessionGate } from "./session-gate.ts";

/** What asks for permission. No line that could be read so reaches the client. */
export const PERMISSION_METHOD = "session/request_permission";

export interface FromAgentParts {
  bridge: ProxyBridge;
  agent: AgentInput;
  held: HeldAsks;
  own: OwnRequests;
  clientRequests: ClientRequests;
  passed: PassedRequests;
  gate: SessionGate;
  onDiagnostic(text: string): void;
  onInitialized: ((result: unknown) => void) | undefined;
  onSet: OnSet | undefined;
}

const PASS: Verdict = { pass: true };
const KEEP: Verdict = { pass: false };

/** Takes what the agent answered, without an error, when the client had it set something. */
export type OnSet = (setting: Setting, answer: unknown) => void;

/** Judges what the agent sends. */
export class FromAgent {
  readonly #parts: FromAgentParts;

  constructor(parts: FromAgentParts) {
    this.#parts = parts;
  }

  /** Throws where the agent agrees on a protocol in which nobody knows what asks for permission. */
  judge(message: Message, isBatch: boolean): Verdict {
    if (message.methods.includes(PERMISSION_METHOD)) {
      this.#takeAsk(message, isBatch);
      return KEEP;
    }
    if (message.hasResult || message.methods.length === 0) return this.#takeResponse(message);
    return this.#takeOther(message);
  }

  #takeAsk(message: Message, isBatch: boolean): void {
    const { held, passed } = this.#parts;
    const { ids } = message;
    const raw = message.value["params"];
    // Which of the two an answer is for, the agent could not say.
    const isTaken = ids
      .map(({ key }) => [held.takeBack(key), passed.forget(key)])
      .flat()
      .includes(true);
    const [id] = ids;
    if (id === undefined) held.refuse([], raw, "it has no id, so nobody waits for an answer");
    else if (isTaken) held.refuse(ids, raw, "another request has its id");
    else if (isBatch) held.refuse(ids, raw, "it came in a batch");
    else if (message.isAmbiguous || message.hasResult) {
      held.refuse(ids, raw, "it can be read in two ways");
    } else if (!id.isScalar) held.refuse(ids, raw, "its id is neither a number nor a text");
    else held.hold(id, raw, flawOf(message));
  }

  #takeOther(message: Message): Verdict {
    const { bridge, held, passed, agent, onDiagnostic } = this.#parts;
    const { ids, value } = message;
    const { method, params } = value;
    if (method === "$/cancel_request") {
      return held.takeBack(keyOf(paramsOf(message)["requestId"])) ? KEEP : PASS;
    }
    if (method === "session/update") bridge.noteUpdate(params, () => flawOf(message));
    const taken = ids.find(({ key }) => held.takeBack(key));
    if (taken !== undefined) {
      onDiagnostic(`Request ${showId(taken)} was refused: a permission request has its id.`);
      const error = { code: -32600, message: "The id of this request is in use" };
      const response = `{"jsonrpc":"2.0","id":${taken.json},"error":${JSON.stringify(error)}}`;
      agent.send(response).catch(() => undefined);
      return KEEP;
    }
    for (const { key } of ids) passed.add(key);
    return PASS;
  }

  #takeResponse({ ids, value }: Message): Verdict {
    const { own, clientRequests, bridge, gate, onInitialized, onSet } = this.#parts;
    for (const { key } of ids) {
      if (own.take(key, value)) return KEEP;
      const request = clientRequests.take(key);
      if (request?.kind === "initialize" && isRecord(value["result"])) {
        refuseOtherVersions(value["result"]);
        onInitialized?.(value["result"]);
      }
      if (request?.kind === "prompt") bridge.endTurn(request.sessionId, request.turnId);
      if (request?.kind === "setting" && value["error"] === undefined) {
        onSet?.(request.setting, value["result"]);
      }
      if (request?.kind === "opening") {
        return { pass: true, after: () => gate.open(readSession(request.sessionId, value)) };
      }
    }
    return PASS;
  }
}

function flawOf({ params }: Message): string | undefined {
  return params === undefined ? undefined : readAgentLine(params)?.findFlaw();
}

function refuseOtherVersions(result: Record<string, unknown>): void {
  if (result["protocolVersion"] === ACP_VERSION) return;
  throw new Error(`The agent and its client do not speak ACP version ${ACP_VERSION}`);
}

function readSession(asked: string | undefined, { result, error }: Record<string, unknown>) {
  if (error !== undefined) return undefined;
  const named = isRecord(result) ? result["sessionId"] : undefined;
  const sessionId = typeof named === "string" ? named : asked;
  return sessionId === undefined ? undefined : { sessionId, result };
}
