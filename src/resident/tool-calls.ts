import { isRecord } from "./json-record.ts";

/** Tool calls remembered at most: each can be as large as a file. */
const CALLS = 128;

interface RememberedCall {
  fields: Record<string, unknown>;
  flaw: string | undefined;
}

/**
 * What earlier `session/update` notifications said of a tool call. Some agents ask with an id and a title only and sent the
 * command or the diff before.
 */
export class ToolCallMemory {
  readonly #calls = new Map<string, RememberedCall>();

  /** Takes one raw update of a tool call. `flaw`: what of it could not be kept as it was sent. */
  note(sessionId: string, update: Record<string, unknown>, flaw?: string): void {
    const { sessionUpdate, toolCallId, status, ...fields } = update;
    if (typeof toolCallId !== "string") return;
    const key = keyOf(sessionId, toolCallId);
    // Ids are used again: what is over, or begins anew, says nothing of the next call.
    const earlier = sessionUpdate === "tool_call" ? undefined : this.#calls.get(key);
    this.#calls.delete(key);
    if (status === "completed" || status === "failed") return;
    // `_meta` speaks of the one message that carried it.
    const { _meta, ...said } = fields;
    const call = {
      fields: { ...earlier?.fields, ...withoutNull(said) },
      flaw: flaw ?? earlier?.flaw,
    };
    this.#calls.set(key, call);
    const oldest = this.#calls.keys().next();
    if (this.#calls.size > CALLS && oldest.done !== true) this.#calls.delete(oldest.value);
  }

  /**
   * The tool call of a request, with what it leaves out taken from earlier updates. What it says itself always wins. `flaw`: what
   * of those that were needed could not be kept as it was sent.
   */
  merge(sessionId: string, toolCall: unknown): { toolCall: unknown; flaw: string | undefined } {
    if (!isRecord(toolCall) || typeof toolCall["toolCallId"] !== "string") {
      return { toolCall, flaw: undefined };
    }
    const earlier = this.#calls.get(keyOf(sessionId, toolCall["toolCallId"]));
    if (earlier === undefined) return { toolCall, flaw: undefined };
    const missing = Object.entries(earlier.fields).filter(([name]) => {
      const own = Object.hasOwn(toolCall, name) ? toolCall[name] : undefined;
      return own === undefined || own === null;
    });
    if (missing.length === 0) return { toolCall, flaw: undefined };
    return { toolCall: { ...toolCall, ...Object.fromEntries(missing) }, flaw: earlier.flaw };
  }

  forget(sessionId: string): void {
    for (const key of this.#calls.keys()) {
      if ((JSON.parse(key) as string[])[0] === sessionId) this.#calls.delete(key);
    }
  }
}

function keyOf(sessionId: string, toolCallId: string): string {
  return JSON.stringify([sessionId, toolCallId]);
}

/** In an ACP update, null means "nothing said". */
function withoutNull(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
