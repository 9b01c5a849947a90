import { z } from "../../../src/protocol/index.ts";

// The parts of OpenAPI 3.1 that our document uses, each as strict as the specification: an unknown field is a mistake, but for
// extensions. What a schema object may hold is JSON Schema's affair.

const text = z.string().min(1);

function object<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape);
}

const reference = object({ $ref: text.startsWith("#/components/") });
const schema = z.record(z.string(), z.unknown());
const example = object({ value: z.unknown() }).or(reference);
const content = z.record(
  text.regex(/^[a-z]+\/[a-z.+-]+$/),
  object({ schema, examples: z.record(text, example).optional() }),
);
const header = object({ description: text, schema });
const response = object({
  description: text,
  headers: z.record(text, header).optional(),
  content: content.optional(),
});
const parameter = object({
  name: text,
  in: z.enum(["path", "query"]),
  required: z.boolean(),
  description: text,
  schema,
  example: z.unknown(),
}).refine((one) => one.in !== "path" || one.required, "a path parameter is required");

const operation = object({
  operationId: z.string().regex(/^[a-z][A-Za-z]+$/),
  summary: text,
  description: text.optional(),
  security: z.array(z.record(text, z.array(z.string()).max(0))),
  parameters: z.array(parameter).min(1).optional(),
  requestBody: object({ required: z.literal(true), content }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), response.or(reference)),
  "x-websocket": schema.optional(),
});

/** A document of OpenAPI 3.1, as far as ours goes. */
export const openApiStructure = object({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: object({
    title: text,
    version: text,
    description: text,
    license: object({ name: text, identifier: text }),
  }),
  servers: z.array(object({ url: text })),
  paths: z.record(
    text.startsWith("/"),
    object({ get: operation.optional(), post: operation.optional() }),
  ),
  components: object({
    schemas: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), schema),
    examples: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), example),
    responses: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), response),
    securitySchemes: z.record(
      text,
      object({
        type: z.literal("http"),
        scheme: z.literal("bearer"),
        bearerFormat: text.optional(),
        description: text,
      }),
    ),
  }),
});
