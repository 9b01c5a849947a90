import type { ErrorDetail, Issue, z } from "../src/protocol/index.ts";

/** Enough to find the mistake, few enough to stay readable. */
const ISSUES_SHOWN = 16;

/** What a schema found wrong, without the value itself. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.map(({ path, message }) => ({
    path: path.map((key) => (typeof key === "symbol" ? String(key) : key)),
    message,
  }));
}

export function invalidRequest(
  issues: readonly Issue[],
): ErrorDetail & { code: "invalid_request" } {
  const [first] = issues;
  const where = first === undefined || first.path.length === 0 ? "" : ` at ${first.path.join(".")}`;
  return {
    code: "invalid_request",
    message: `Not understood${where}: ${first?.message ?? "wrong shape"}. Nothing was changed.`,
    issues: issues.slice(0, ISSUES_SHOWN),
  };
}
