import { z } from "../../../src/protocol/index.ts";
import { call } from "./room.ts";

/** What the tests read of the served OpenAPI document. */
export interface ApiDocument {
  openapi: string;
  paths: Record<string, Record<string, DescribedOperation>>;
  components: {
    schemas: Record<string, object>;
    examples: Record<string, { value: { error: { code: string; message: string } } }>;
    responses: Record<string, DescribedResponse>;
    securitySchemes: Record<string, object>;
  };
}
export interface DescribedOperation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; example: unknown }[];
  requestBody?: { content: Record<string, DescribedContent> };
  responses: Record<string, DescribedResponse>;
}
export interface DescribedResponse {
  $ref?: string;
  description: string;
  content?: Record<string, DescribedContent>;
}
export interface DescribedContent {
  schema: object;
  examples?: Record<string, { value?: unknown; $ref?: string }>;
}

export interface FramesDocument {
  $defs: Record<string, { oneOf?: { $ref: string }[]; examples?: Record<string, unknown>[] }>;
}

export async function readApiDocument(): Promise<ApiDocument> {
  return (await call<ApiDocument>("GET", "/api/openapi.json")).body;
}

export async function readFramesDocument(): Promise<FramesDocument> {
  return (await call<FramesDocument>("GET", "/api/frames.json")).body;
}

/** Every operation of the document, with where it stands and with its responses written out. */
export function operationsOf(
  document: ApiDocument,
): { method: string; path: string; operation: DescribedOperation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: { ...operation, responses: writtenOut(document, operation.responses) },
    })),
  );
}

function writtenOut(
  { components }: ApiDocument,
  responses: Record<string, DescribedResponse>,
): Record<string, DescribedResponse> {
  const entries = Object.entries(responses).map(([status, response]) => {
    const name = response.$ref?.replace("#/components/responses/", "");
    return [status, name === undefined ? response : components.responses[name]];
  });
  return Object.fromEntries(entries);
}

/** A check by a schema of the OpenAPI document as it was served, not by the one that it was made from. */
export function checkerOf(document: ApiDocument, schema: object): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
  return read(text.replaceAll("#/components/schemas/", "#/$defs/"));
}

/** The same by one definition of the document of frames. */
export function frameCheckerOf(document: FramesDocument, name: string): z.ZodType {
  return read(JSON.stringify({ $ref: `#/$defs/${name}`, $defs: document.$defs }));
}

function read(schema: string): z.ZodType {
  return z.fromJSONSchema(JSON.parse(schema) as Parameters<typeof z.fromJSONSchema>[0]);
}

/** Names of a story on one side, of what really happened on the other. */
export class Translation {
  readonly #pairs: [told: string, real: string][] = [];

  add(told: string, real: string): void {
    if (this.#pairs.some((pair) => pair[0] === told && pair[1] === real)) return;
    this.#pairs.push([told, real]);
  }

  toReal<T>(value: T): T {
    return this.#replace(value, ([told, real]) => [told, real]);
  }

  toTold<T>(value: T): T {
    return this.#replace(value, ([told, real]) => [real, told]);
  }

  #replace<T>(value: T, direct: (pair: [string, string]) => [string, string]): T {
    let text = JSON.stringify(value) ?? "null";
    // The longest first: a credential holds the id of its Room.
    const pairs = this.#pairs.map(direct).sort(([a], [b]) => b.length - a.length);
    for (const [from, to] of pairs) text = text.replaceAll(from, to);
    return JSON.parse(text) as T;
  }
}

const EPOCH_MS = 1e12;

/** With every moment made the same: when things happen is the clock's affair. */
export function timeless<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, one: unknown) =>
    typeof one === "number" && one > EPOCH_MS ? EPOCH_MS : one,
  ) as T;
}
