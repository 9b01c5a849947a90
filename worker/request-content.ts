import canonicalize from "canonicalize";
import { summarise } from "../src/approval/index.ts";
import { limits, type PermissionRequest, utf8Bytes } from "../src/protocol/index.ts";
import { HttpError } from "./http-error.ts";
import type { RequestCommand } from "./room/permissions.ts";

/**
 * Turns a checked request into what the Room stores: serialised once, hashed, and summarised where it is too large to be shown
 * inline. Done in the Worker, because hashing is an `await`, which would let other events into the Room's critical section.
 * @throws HttpError `payload_too_large`
 */
export async function commandOf(request: PermissionRequest): Promise<RequestCommand> {
  const { requestId, toolCall, options, turnId, expiresInMs, maxExpiresInMs } = request;
  const text = JSON.stringify(toolCall);
  const bytes = utf8Bytes(text);
  requireAtMost(bytes, limits.TOOL_CALL_BYTES, "tool call");
  const optionsText = JSON.stringify(options);
  requireAtMost(utf8Bytes(optionsText), limits.OPTIONS_BYTES, "list of options");
  const content = canonicalize({ toolCall, options, turnId }) ?? "";
  return {
    requestId,
    contentHash: await sha256(content),
    optionsText,
    toolCall: {
      text,
      bytes,
      sha256: await sha256(text),
      summary:
        bytes > limits.INLINE_TOOL_CALL_BYTES ? JSON.stringify(summarise(toolCall)) : undefined,
    },
    turnId,
    expiresInMs,
    maxExpiresInMs,
  };
}

function requireAtMost(bytes: number, limitBytes: number, what: string): void {
  if (bytes <= limitBytes) return;
  throw new HttpError(
    "payload_too_large",
    `The ${what} is larger than ${limitBytes} bytes. Nothing was shown to anybody and nothing is allowed.`,
    { limitBytes },
  );
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
