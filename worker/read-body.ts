import { findJsonIssue, type Issue, limits, type z } from "../src/protocol/index.ts";
import { HttpError } from "./http-error.ts";
import { invalidRequest, issuesOf } from "./invalid-request.ts";

/**
 * Reads and checks a JSON body.
 * @throws HttpError `unsupported_media_type`, `payload_too_large`, `invalid_json`, `invalid_request`
 */
export async function readBody<S extends z.ZodType>(
  request: Request,
  schema: S,
): Promise<z.output<S>> {
  const mediaType = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    throw new HttpError(
      "unsupported_media_type",
      "Send the body as content-type application/json.",
    );
  }
  const value = decode(await readCapped(request));
  const issue = findJsonIssue(value, { depth: limits.BODY_DEPTH });
  if (issue !== undefined) throw invalid([issue]);
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalid(issuesOf(parsed.error));
  return parsed.data;
}

function invalid(found: readonly Issue[]): HttpError {
  const { code, message, ...facts } = invalidRequest(found);
  return new HttpError(code, message, facts);
}

async function readCapped(request: Request): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > limits.BODY_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limits.BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

/** Ill-formed UTF-8 is refused, not repaired: a repaired text is another text. */
function decode(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes),
    ) as unknown;
  } catch {
    throw new HttpError(
      "invalid_json",
      "This is not JSON in well-formed UTF-8. Nothing was changed.",
    );
  }
}

function tooLarge(): HttpError {
  return new HttpError(
    "payload_too_large",
    "The body is too large. Nothing was changed; the request was not shown to anybody.",
    { limitBytes: limits.BODY_BYTES },
  );
}
