import { Hono } from "hono";
import { historyFormat, type HistoryRecord } from "../../src/protocol/index.ts";
import { bearerOf, TOKEN_KINDS } from "../credential.ts";
import { csvHeader, csvLine } from "../csv.ts";
import type { Env } from "../env.ts";
import { HttpError, replyResponse } from "../http-error.ts";
import { limitRate } from "../rate-limit.ts";
import { callRoom } from "../room-stub.ts";
import { HISTORY_START, type HistoryPage } from "../room/history.ts";
import { isRefusal, type RoomReply } from "../room/reply.ts";

interface Format {
  readonly mediaType: string;
  readonly head: string;
  readonly record: (record: HistoryRecord, isFirst: boolean) => string;
  readonly tail: string;
}

const FORMATS: Readonly<Record<"json" | "jsonl" | "csv", Format>> = {
  json: {
    mediaType: "application/json; charset=utf-8",
    head: "[",
    record: (record, isFirst) => `${isFirst ? "" : ","}${JSON.stringify(record)}`,
    tail: "]",
  },
  jsonl: {
    mediaType: "application/jsonl; charset=utf-8",
    head: "",
    record: (record) => `${JSON.stringify(record)}\n`,
    tail: "",
  },
  csv: { mediaType: "text/csv; charset=utf-8", head: csvHeader(), record: csvLine, tail: "" },
};

export const historyRoutes = new Hono<{ Bindings: Env }>().get(
  "/room/history",
  async ({ env, req }) => {
    const token = await bearerOf(req.header("authorization"), TOKEN_KINDS, env);
    await limitRate(env, "LIMIT_CALLS", token.hash);
    const format = historyFormat.safeParse(req.query("format") ?? "json");
    if (!format.success) {
      throw new HttpError("invalid_request", "format is json, jsonl or csv.", {
        issues: [{ path: ["format"], message: "must be json, jsonl or csv" }],
      });
    }
    const read = (after: NonNullable<HistoryPage["next"]>): Promise<RoomReply> =>
      callRoom(env, token.roomId, (room) => room.history(token.hash, after));
    // The first page is read before anything is answered, so that a refusal still has its status.
    const first = await read(HISTORY_START);
    if (isRefusal(first)) return replyResponse(first);
    return new Response(stream(textsOf(FORMATS[format.data], first, read)), {
      headers: {
        "content-type": FORMATS[format.data].mediaType,
        "content-disposition": `attachment; filename="handraise-history.${format.data}"`,
      },
    });
  },
);

/** Page after page, as fast as the reader takes them: a long history is never whole in memory. */
function stream(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}

/** Never an empty text: a stream that is pulled and gives nothing is not pulled again. */
async function* textsOf(
  format: Format,
  first: RoomReply,
  read: (after: NonNullable<HistoryPage["next"]>) => Promise<RoomReply>,
): AsyncGenerator<string> {
  if (format.head !== "") yield format.head;
  let isFirst = true;
  for (let reply = first; ;) {
    const page = JSON.parse(reply.json) as HistoryPage;
    let text = "";
    for (const record of page.records) {
      text += format.record(record, isFirst);
      isFirst = false;
    }
    if (text !== "") yield text;
    if (page.next === undefined) break;
    reply = await read(page.next);
    if (isRefusal(reply)) throw new Error("the history could not be read to its end");
  }
  if (format.tail !== "") yield format.tail;
}
