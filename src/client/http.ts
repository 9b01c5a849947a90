import { errorBody, type z } from "../protocol/index.ts";
import { RoomRefusal, RoomUnreachable } from "./errors.ts";

/** How long one call may take, its reply's body included; what it asks the Room to wait comes on top. */
export const CALL_TIMEOUT_MS = 10_000;

/** Above any reply of a Room: its whole record with 10 000 cards, its first view with 256 of the largest. */
const REPLY_BYTES = 256 * 1024 * 1024;

const JSON_TYPE = "application/json";

export interface RoomAddress {
  /** http(s) origin */
  server: string;
  fetch?: typeof fetch;
  /** In place of CALL_TIMEOUT_MS. */
  timeoutMs?: number;
}

export interface Call {
  method: "GET" | "POST";
  path: string;
  credential?: string | undefined;
  body?: unknown;
  /** How long the Room may hold the reply back, in milliseconds. */
  waitMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Calls the Room and reads its reply. Throws RoomRefusal, RoomUnreachable, or the reason of an aborted `signal`. */
export async function callForJson<T>(
  address: RoomAddress,
  call: Call,
  schema: z.ZodType<T>,
): Promise<T> {
  const { bytes, status } = await callForBytes(address, call);
  const reply = schema.safeParse(parseJson(bytes));
  if (!reply.success) throw new RoomUnreachable(status);
  return reply.data;
}

/** Calls the Room for a reply that has no body. */
export async function callForNothing(address: RoomAddress, call: Call): Promise<void> {
  await exchange(address, call, async (response) => {
    if (response.status !== 204) await readJsonBytes(response);
  });
}

/** Calls the Room and hands on the exact bytes of its reply: JSON, unless another media type is named. */
export async function callForBytes(
  address: RoomAddress,
  call: Call,
  mediaType = JSON_TYPE,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; status: number }> {
  return exchange(address, call, async (response) => ({
    bytes: await readBytes(response, mediaType),
    status: response.status,
  }));
}

async function exchange<T>(
  address: RoomAddress,
  call: Call,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const url = new URL(call.path, address.server);
  const headers = headersOf(call);
  const ended = new AbortController();
  const { signal } = call;
  signal?.throwIfAborted();
  const abort = () => ended.abort();
  signal?.addEventListener("abort", abort);
  const timer = setTimeout(abort, (address.timeoutMs ?? CALL_TIMEOUT_MS) + (call.waitMs ?? 0));
  let status: number | undefined;
  try {
    // Browsers refuse `fetch` as a method of another object.
    const send = address.fetch ?? globalThis.fetch;
    const response = await send(url, {
      method: call.method,
      headers,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      cache: "no-store",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      // The Room never redirects. Whoever does is not the Room, and would turn a POST into a GET.
      redirect: "manual",
      signal: ended.signal,
    });
    status = response.status === 0 ? undefined : response.status;
    if (!response.ok) throw await readRefusal(response, status);
    return await read(response);
  } catch (error) {
    if (error instanceof RoomRefusal || error instanceof RoomUnreachable) throw error;
    signal?.throwIfAborted();
    throw new RoomUnreachable(status, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function headersOf(call: Call): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (call.body !== undefined) headers["content-type"] = "application/json";
  if (call.credential !== undefined) {
    // A header that `fetch` refuses would stand, secret and all, in its error message.
    if (!/^[\x21-\x7e]+$/.test(call.credential)) throw new TypeError("not a credential");
    headers["authorization"] = `Bearer ${call.credential}`;
  }
  return headers;
}

async function readRefusal(
  response: Response,
  status: number | undefined,
): Promise<RoomRefusal | RoomUnreachable> {
  const reply = errorBody.safeParse(parseJson(await readJsonBytes(response)));
  if (!reply.success || status === undefined) return new RoomUnreachable(status);
  return new RoomRefusal(reply.data.error, status, readRetryAfter(response));
}

function readRetryAfter(response: Response): number | undefined {
  const seconds = response.headers.get("retry-after");
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

function readJsonBytes(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return readBytes(response, JSON_TYPE);
}

async function readBytes(response: Response, mediaType: string): Promise<Uint8Array<ArrayBuffer>> {
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== mediaType) {
    void response.body?.cancel().catch(() => undefined);
    throw new RoomUnreachable(response.status === 0 ? undefined : response.status);
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  // Whoever sends without end is not the Room, and would fill the memory before the time is up.
  for await (const part of partsOf(response)) {
    length += part.length;
    if (length > REPLY_BYTES) throw new RoomUnreachable(response.status);
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Safari cannot iterate a stream. */
async function* partsOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const part = await reader?.read();
      if (part?.value === undefined) return;
      yield part.value;
    }
  } finally {
    void reader?.cancel().catch(() => undefined);
  }
}

/** Undefined for what is not JSON in UTF-8. Fatal, because an option id must not come out with replacement characters. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
