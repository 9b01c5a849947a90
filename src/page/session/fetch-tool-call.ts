import { RoomRefusal, type RoomApi } from "../../client/index.ts";
import { toolCall, type Card } from "../../protocol/index.ts";
import type { Fetched } from "../model/state.ts";
import { sha256Hex, type LoadSha256 } from "./sha256.ts";

/** Fetches a tool call that came by reference and checks that it is what the Room stored. */
export async function fetchToolCall(
  api: Pick<RoomApi, "toolCall">,
  card: Card,
  subtle: SubtleCrypto | undefined,
  loadSha256?: LoadSha256,
): Promise<Fetched> {
  const { evidence, requestId } = card;
  if (evidence.inline) return { state: "loaded", toolCall: card.toolCall };
  if (evidence.available === false) return { state: "failed", why: "dropped" };
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await api.toolCall(requestId);
  } catch (error) {
    const isDropped = error instanceof RoomRefusal && error.status === 404;
    return { state: "failed", why: isDropped ? "dropped" : "unreachable" };
  }
  const read = readToolCall(bytes);
  if (read === undefined) return { state: "failed", why: "altered" };
  const hash = await sha256Hex(bytes, subtle, loadSha256);
  if (hash === undefined) return { state: "unchecked", toolCall: read };
  if (hash !== evidence.sha256) return { state: "failed", why: "altered" };
  return { state: "loaded", toolCall: read };
}

function readToolCall(bytes: Uint8Array) {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const parsed = toolCall.safeParse(value);
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
