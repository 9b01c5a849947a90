import {
  type ErrorCode,
  PROTOCOL_VERSION,
  SUBPROTOCOL,
  TOKEN_SUBPROTOCOL_PREFIX,
} from "../../src/protocol/index.ts";
import { STATUS_OF } from "../http-error.ts";
import { ERROR_EXAMPLES } from "./errors.ts";
import { BEN, DECIDED } from "./examples.ts";
import { type Bearer, type Content, named, type Operation, SCHEMAS } from "./operation.ts";
import { PERMISSION_OPERATIONS } from "./permission-operations.ts";
import { ROOM_OPERATIONS } from "./room-operations.ts";
import { bodySchemas, type JsonSchema } from "./schemas.ts";
import { closeCodes, describeSocket } from "./socket.ts";

const PATH_PARAMETERS: Readonly<Record<string, JsonSchema & { example: string }>> = {
  requestId: {
    description: "The id that the resident made for the request.",
    schema: { type: "string" },
    example: DECIDED,
  },
  participantId: {
    description: "Whom, as `participants` of the Room names them.",
    schema: { type: "string" },
    example: BEN.participantId,
  },
};

/** The HTTP side of the protocol as OpenAPI 3.1. */
export function openApiDocument(): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  const refusals: Record<string, JsonSchema> = {
    not_found: describeError(["not_found"], "Any other path."),
    method_not_allowed: {
      ...describeError(
        ["method_not_allowed"],
        "Any other method of a path. What can be got can also be asked for with HEAD.",
      ),
      headers: { Allow: ALLOW },
    },
  };
  for (const operation of [...ROOM_OPERATIONS, ...PERMISSION_OPERATIONS]) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method]: describeOperation(operation) };
    for (const codes of byStatus(operation.errors).values()) {
      refusals[codes.join(".")] = describeError(
        codes,
        codes.map((code) => `\`${code}\``).join(", "),
      );
    }
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Handraise",
      version: String(PROTOCOL_VERSION),
      description: ABOUT,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: bodySchemas(SCHEMAS),
      examples: Object.fromEntries(
        Object.entries(ERROR_EXAMPLES).map(([code, detail]) => [
          code,
          { value: { error: { code, ...detail } } },
        ]),
      ),
      responses: refusals,
      securitySchemes: SECURITY,
    },
  };
}

const ABOUT = [
  "A coding agent asks; any person in the Room chooses one of the agent's own options; the same turn goes on.",
  "JSON in, JSON out, well-formed UTF-8. `…At` is epoch milliseconds by the Room's clock, `…Ms` a duration; lengths of text are UTF-8 bytes. Both sides ignore fields that they do not know. Replies carry `Handraise-Protocol: 1`.",
  'Every error is `{"error": {"code", "message", …}}`. Treat a code that you do not know by its status. Nothing but `outcome.outcome: "selected"` in a request\'s status lets an agent act.',
  "`/api/*` answers any origin, without cookies, but for `POST /api/rooms`. Agent permissions and approvals: `/docs/permissions`.",
].join("\n\n");

const bearer = (description: string, bearerFormat?: string): JsonSchema => ({
  type: "http",
  scheme: "bearer",
  ...(bearerFormat === undefined ? {} : { bearerFormat }),
  description,
});

const SECURITY: Readonly<Record<Exclude<Bearer, "nobody">, JsonSchema>> = {
  invite: bearer("A human's or a resident's invite.", "hr1.hi.… or hr1.ri.…"),
  humanToken: bearer("A human's participant token.", "hr1.ht.…"),
  residentToken: bearer("A resident's participant token.", "hr1.rt.…"),
  creationKey: bearer("The deployment's ROOM_CREATION_KEY, where it sets one."),
};

const RETRY_AFTER = {
  description: "Seconds after which trying again makes sense.",
  schema: { type: "integer" },
};
const ALLOW = { description: "The methods that the path takes.", schema: { type: "string" } };

function describeOperation(operation: Operation): JsonSchema {
  const { id, summary, bearers, body, query } = operation;
  const parameters = [
    ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
      name,
      in: "path",
      required: true,
      ...PATH_PARAMETERS[name],
    })),
    ...(query === undefined ? [] : [{ ...query, in: "query", required: false }]),
  ];
  const isSocket = operation.successes[101] !== undefined;
  const description = isSocket ? describeSocket() : operation.description;
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    security: bearers.map((one) => (one === "nobody" ? {} : { [one]: [] })),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": describe(body) } } }),
    responses: describeResponses(operation),
    ...(isSocket ? { "x-websocket": SOCKET } : {}),
  };
}

const SOCKET = {
  subprotocols: [SUBPROTOCOL, `${TOKEN_SUBPROTOCOL_PREFIX}<credential>`],
  frames: "/api/frames.json",
  closeCodes: closeCodes(),
};

function describeResponses({ successes, errors }: Operation): JsonSchema {
  const responses: JsonSchema = {};
  for (const [status, { description, content }] of Object.entries(successes)) {
    const described = Object.entries(content ?? {}).map(([type, one]) => [type, describe(one)]);
    responses[status] = {
      description,
      ...(content === undefined ? {} : { content: Object.fromEntries(described) }),
    };
  }
  for (const [status, codes] of byStatus(errors)) {
    responses[status] = { $ref: `#/components/responses/${codes.join(".")}` };
  }
  return responses;
}

/** Codes that share a status are one response. */
function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  return Map.groupBy([...new Set(codes)].sort(), (code) => STATUS_OF[code]);
}

function describeError(codes: readonly ErrorCode[], description: string): JsonSchema {
  const isPassing = codes.some((code) => [429, 503].includes(STATUS_OF[code]));
  const ofTheseCodes = {
    type: "object",
    properties: {
      error: { type: "object", properties: { code: { type: "string", enum: codes } } },
    },
  };
  return {
    description,
    ...(isPassing ? { headers: { "Retry-After": RETRY_AFTER } } : {}),
    content: {
      "application/json": {
        schema: { allOf: [named("ErrorBody"), ofTheseCodes] },
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}

function describe({ schema, examples }: Content): JsonSchema {
  const shown = Object.entries(examples ?? {}).map(([name, value]) => [name, { value }]);
  return { schema, ...(shown.length === 0 ? {} : { examples: Object.fromEntries(shown) }) };
}
