import { optionId } from "./option.ts";
import { residentWithdrawReason } from "./settlement.ts";
import { z } from "./z.ts";

const at = z.int().nonnegative();

/** Bodies of the calls whose path names the request. */
export const decideBody = z.object({ optionId });
export const dismissBody = z.object({});
/** `expiresAt`: the deadline as its sender saw it. */
export const extendBody = z.object({ expiresAt: at });
export const withdrawBody = z.object({ reason: residentWithdrawReason });
export const ackBody = z.object({ applied: z.boolean() });
/** Bodies of calls that say all in their path. */
export const emptyBody = z.object({});
