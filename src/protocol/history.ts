import { permissionOption } from "./option.ts";
import { requestId } from "./request.ts";
import { delivery, outcome, settlement } from "./settlement.ts";
import { z } from "./z.ts";

const at = z.int().nonnegative();

/** One settled card in the history. */
export const historyRecord = z.object({
  requestId,
  turnId: z.string().optional(),
  resident: z.object({ participantId: z.string(), name: z.string() }),
  openedAt: at,
  expiresAt: at,
  title: z.string().optional(),
  kind: z.string().optional(),
  toolCallSha256: z.string(),
  toolCallBytes: z.int().nonnegative(),
  options: z.array(permissionOption),
  settlement,
  outcome,
  delivery,
});
export type HistoryRecord = z.infer<typeof historyRecord>;

export const HISTORY_FORMATS = ["json", "jsonl", "csv"] as const;
export const historyFormat = z.enum(HISTORY_FORMATS);
