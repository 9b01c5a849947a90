import { permissionOption } from "./option.ts";
import { requestId, toolCall } from "./request.ts";
import { cardState, delivery, settlement } from "./settlement.ts";
import { z } from "./z.ts";

const at = z.int().nonnegative();
const bytes = z.int().nonnegative();

/**
 * Whether a card carries its tool call whole (`inline`) or by reference: then `toolCall` is only a summary, `cut` names what was
 * left out (`cutMore`: how many more than it names), and `sha256` (lower-case hex) is that of the bytes behind `/tool-call`. `available: false`: dropped after settlement.
 */
export const evidence = z.discriminatedUnion("inline", [
  z.object({ inline: z.literal(true), bytes }),
  z.object({
    inline: z.literal(false),
    bytes,
    sha256: z.string(),
    cut: z.array(z.string()),
    cutMore: z.int().positive().optional(),
    available: z.literal(false).optional(),
  }),
]);
export type Evidence = z.infer<typeof evidence>;

/** The Room's record of one permission request, as shown to humans. */
export const card = z.object({
  requestId,
  resident: z.object({ participantId: z.string(), name: z.string() }),
  toolCall,
  evidence,
  options: z.array(permissionOption),
  turnId: z.string().optional(),
  openedAt: at,
  expiresAt: at,
  maxExpiresAt: at.optional(),
  state: cardState,
  settlement: settlement.optional(),
  delivery,
});
export type Card = z.infer<typeof card>;
