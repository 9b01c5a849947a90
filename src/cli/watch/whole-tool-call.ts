import { createHash } from "node:crypto";
import { type RoomApi, RoomRefusal } from "../../client/index.ts";
import { type Card, toolCall, type ToolCall } from "../../protocol/index.ts";

export type WholeToolCall =
  | { state: "here"; toolCall: ToolCall }
  | { state: "failed"; why: string; mayPass: boolean };

/** Fetches a tool call that came by reference, and checks that it is what the Room stored. Never throws. */
export async function fetchWhole(
  api: Pick<RoomApi, "toolCall">,
  card: Pick<Card, "requestId" | "toolCall" | "evidence">,
): Promise<WholeToolCall> {
  const { evidence } = card;
  if (evidence.inline) return { state: "here", toolCall: card.toolCall };
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await api.toolCall(card.requestId);
  } catch (error) {
    const isGone = error instanceof RoomRefusal && error.status === 404;
    return isGone
      ? { state: "failed", why: "the Room no longer keeps the whole of it", mayPass: false }
      : { state: "failed", why: "it could not be loaded", mayPass: true };
  }
  if (createHash("sha256").update(bytes).digest("hex") !== evidence.sha256) {
    const why = "what came is not what the Room stored: its hash differs";
    return { state: "failed", why, mayPass: true };
  }
  const parsed = toolCall.safeParse(parseJson(bytes));
  if (parsed.success) return { state: "here", toolCall: parsed.data };
  return { state: "failed", why: "what came cannot be read", mayPass: false };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
