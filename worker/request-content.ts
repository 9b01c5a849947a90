import canonicalize from "canonicalize";
import { summarise } from "../src/approval/index.ts";
import { limits, type PermissionRequest, utf8Bytes } from "../src/protocol/index.ts";
import type { RequestCommand } from "./room/permissions.ts";
import { refused, type RoomReply } from "./room/reply.ts";

export type RequestContent =
  | { ok: true; command: RequestCommand }
  | { ok: false; reply: RoomReply };

/**
 * Turns a checked request into what the Room stores: serialised once, hashed, and summarised where it is too large to be shown
 * inline. Apart from the Room's critical section, because hashing is an `await`, which lets other events in.
 */
export async function commandOf(request: PermissionRequest): Promise<RequestContent> {
  const { requestId, toolCall, options, turnId } = request;
  const text = JSON.stringify(toolCall);
  const bytes = utf8Bytes(text);
  if (bytes > limits.TOOL_CALL_BYTES) return tooLarge("tool call", limits.TOOL_CALL_BYTES);
  const optionsText = JSON.stringify(options);
  if (utf8Bytes(optionsText) > limits.OPTIONS_BYTES) {
    return tooLarge("list of options", limits.OPTIONS_BYTES);
  }
  const content = canonicalize({ toolCall, options, turnId }) ?? "";
  const isInline = bytes <= limits.INLINE_TOOL_CALL_BYTES;
  return {
    ok: true,
    command: {
      requestId,
      contentHash: await sha256(content),
      optionsText,
      toolCall: {
        text,
        bytes,
        sha256: await sha256(text),
        summary: isInline ? undefined : JSON.stringify(summarise(toolCall)),
      },
      turnId,
      expiresInMs: request.expiresInMs,
      maxExpiresInMs: request.maxExpiresInMs,
      ifNoHuman: request.ifNoHuman,
    },
  };
}

function tooLarge(what: string, limitBytes: number): RequestContent {
  return {
    ok: false,
    reply: refused({
      code: "payload_too_large",
      message: `The ${what} is larger than ${limitBytes} bytes. Nothing was shown to anybody and nothing is allowed.`,
      limitBytes,
    }),
  };
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
