import type { ErrorCode } from "../../src/protocol/index.ts";
import type { JsonSchema, SchemaName } from "./schemas.ts";

/** What may be presented as the bearer of a call; `nobody`: nothing has to be. */
export type Bearer = "nobody" | "creationKey" | "invite" | "humanToken" | "residentToken";

export interface Content {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, unknown>>;
}

export interface Success {
  readonly description: string;
  /** By media type; a body of JSON is all that most have. */
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Query {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: unknown;
}

/** One route: everything that it takes and everything that it can answer. */
export interface Operation {
  readonly method: "get" | "post";
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly bearers: readonly Bearer[];
  readonly query?: Query;
  readonly body?: Content;
  readonly successes: Readonly<Record<number, Success>>;
  readonly errors: readonly ErrorCode[];
}

/** Where the document keeps its named schemas. */
export const SCHEMAS = "#/components/schemas/";

export function named(schema: SchemaName): JsonSchema {
  return { $ref: `${SCHEMAS}${schema}` };
}

export function json(
  schema: SchemaName,
  examples: Readonly<Record<string, unknown>>,
): Readonly<Record<string, Content>> {
  return { "application/json": { schema: named(schema), examples } };
}

/** The body of calls that say all in their path. */
export const EMPTY: Content = { schema: named("EmptyBody"), examples: { empty: {} } };

export const ANY: readonly ErrorCode[] = ["forbidden_host", "internal"];
export const BODY: readonly ErrorCode[] = [
  "invalid_json",
  "invalid_request",
  "payload_too_large",
  "unsupported_media_type",
];
/** What any credential can turn out to be worth. */
export const CREDENTIAL: readonly ErrorCode[] = [
  "unauthorized",
  "room_not_found",
  "room_closed",
  "unavailable",
];
/** Acknowledgements and withdrawals are not counted, all other calls of a participant are. */
export const COUNTED: readonly ErrorCode[] = [...CREDENTIAL, "rate_limited"];

export const ANYONE: readonly Bearer[] = ["nobody"];
export const PARTICIPANT: readonly Bearer[] = ["humanToken", "residentToken"];
export const HUMAN: readonly Bearer[] = ["humanToken"];
export const RESIDENT: readonly Bearer[] = ["residentToken"];
