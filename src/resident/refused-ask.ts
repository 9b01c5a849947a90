import { readAsk } from "./ask.ts";
import type { IncomingAsk } from "./incoming-ask.ts";
import { isRecord } from "./json-record.ts";
import type { AskedThing } from "./parked-ask.ts";
import { toolKindOf } from "./reasons.ts";
import type { ToolCallMemory } from "./tool-calls.ts";

/** What can be told of an ask that nobody is asked. `asked`: undefined where it cannot be read. */
export interface RefusedAsk {
  asked: AskedThing | undefined;
  toolKind: string;
}

/** Reads an ask that is refused, for the log alone: what was offered, and which call may report its own end. */
export function readRefused(
  { params, flaw }: Pick<IncomingAsk, "params" | "flaw">,
  toolCalls: Pick<ToolCallMemory, "merge">,
): RefusedAsk {
  if (!isRecord(params)) return { asked: undefined, toolKind: toolKindOf(undefined) };
  const { sessionId, options } = params;
  const isNamed = typeof sessionId === "string";
  const toolCall = isNamed
    ? toolCalls.merge(sessionId, params["toolCall"]).toolCall
    : params["toolCall"];
  const toolKind = toolKindOf(isRecord(toolCall) ? toolCall["kind"] : undefined);
  // An id that did not come as it was sent is not the one that was offered.
  if (!isNamed || flaw !== undefined) return { asked: undefined, toolKind };
  const read = readAsk(toolCall, options);
  if (read.kind !== "read") return { asked: undefined, toolKind };
  const asked = { sessionId, turnId: undefined, toolCall: read.toolCall, options: read.options };
  return { asked: { ...asked, toolKind }, toolKind };
}
