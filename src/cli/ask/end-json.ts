import type { GateAnswer } from "../../gate/index.ts";

/**
 * The request status. Where the Room told none, or told last that the question is open, how it ended here stands beside it: a
 * status alone would not say that nobody waits any more.
 */
export function describeForPrograms(answer: GateAnswer): Record<string, unknown> {
  const { status, end, code, reason } = answer;
  if (status?.settlement !== undefined) return status;
  return {
    ...(status ?? { state: end === "withdrawn" ? "withdrawn" : "not_asked" }),
    end,
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
  };
}
