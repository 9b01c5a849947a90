import type { TestRoom } from "./room.ts";

interface Filler {
  count: number;
  state: "pending" | "expired";
  /** Of each stored tool call. */
  bytes?: number;
  residentId?: string;
  /** Of the ids; fillers of one Room need different ones. */
  prefix?: string;
}

/** Puts cards into a Room that would take long to ask for one by one. They open and, where they do, end at 1, 2, 3 and so on. */
export async function fillCards(room: TestRoom, filler: Filler): Promise<void> {
  const { count, state, bytes = 100, residentId = "filler", prefix = "filler" } = filler;
  const head = '{"toolCallId":"t","title":"kept title","pad":"';
  const padding = bytes - head.length - 2;
  const settlement = state === "pending" ? "NULL" : `json_object('state', '${state}', 'at', n)`;
  await room.inside((_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < ${count})
       INSERT INTO card (seq, request_id, resident_id, resident_name, content_hash, tool_call, tool_call_summary,
         tool_call_bytes, tool_call_sha256, options, opened_at, expires_at, expires_in_ms, state, settlement, settled_at,
         delivery, delivery_at)
       SELECT (SELECT coalesce(max(seq), 0) FROM card) + n, printf('${prefix}-%06d', n), '${residentId}', 'filler', 'h',
         '${head}' || ${padding < 1 ? "''" : `replace(hex(zeroblob(${Math.ceil(padding / 2)})), '00', 'xx')`} || '"}',
         '{"toolCall":{"toolCallId":"t","title":"kept title"},"cut":["pad"]}',
         ${bytes}, 'sha', '[{"optionId":"a","name":"A"}]', n, ${Number.MAX_SAFE_INTEGER}, 1000, '${state}', ${settlement},
         ${state === "pending" ? "NULL" : "n"}, '${state === "pending" ? "none" : "not_applied"}', n
       FROM counter`,
    );
  });
  // What the object counted before is forgotten with its memory.
  await room.evict("hibernate");
}
