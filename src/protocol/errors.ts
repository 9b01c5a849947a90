import { settlement } from "./settlement.ts";
import { z } from "./z.ts";

/** Every error code there is. Clients treat a code they do not know by its HTTP status. */
export const ERROR_CODES = [
  "invalid_json",
  "invalid_request",
  "option_not_offered",
  "unauthorized",
  "human_only",
  "resident_only",
  "forbidden_host",
  "not_found",
  "room_not_found",
  "request_not_found",
  "participant_not_found",
  "method_not_allowed",
  "already_settled",
  "not_settled",
  "request_conflict",
  "not_extendable",
  "room_closed",
  "payload_too_large",
  "unsupported_media_type",
  "upgrade_required",
  "too_many_pending",
  "rate_limited",
  "room_full",
  "internal",
  "unavailable",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

const issue = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
});
export type Issue = z.infer<typeof issue>;

/** What an error says: a stable code, a sentence for people, and the facts that the code promises. */
export const errorDetail = z.object({
  code: z.enum(ERROR_CODES).or(z.string()),
  message: z.string(),
  /** `invalid_request` */
  issues: z.array(issue).optional(),
  /** `payload_too_large` */
  limitBytes: z.int().positive().optional(),
  /** `already_settled` */
  settlement: settlement.optional(),
});
export type ErrorDetail = z.infer<typeof errorDetail>;

/** The body of every reply that is not a success. */
export const errorBody = z.object({ error: errorDetail });
export type ErrorBody = z.infer<typeof errorBody>;
