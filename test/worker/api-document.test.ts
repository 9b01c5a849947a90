import { describe, expect, it } from "vitest";
import { CLOSE, ERROR_CODES, z } from "../../src/protocol/index.ts";
import { app } from "../../worker/app.ts";
import { STATUS_OF } from "../../worker/http-error.ts";
import { FRAMES } from "../../worker/openapi/schemas.ts";
import {
  checkerOf,
  frameCheckerOf,
  operationsOf,
  readApiDocument,
  readFramesDocument,
} from "../support/workerd/described.ts";
import { openApiStructure } from "../support/workerd/openapi-structure.ts";
import { call, ORIGIN, worker } from "../support/workerd/room.ts";

const document = await readApiDocument();
const frames = await readFramesDocument();

describe("the documents are served", () => {
  it.each(["/api/openapi.json", "/api/frames.json"])(
    "%s, like the rest of the API",
    async (path) => {
      const reply = await call("GET", path);
      expect(reply.status).toBe(200);
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "handraise-protocol": "1",
        "access-control-allow-origin": "*",
      });
      const text = async (): Promise<string> => (await worker().fetch(`${ORIGIN}${path}`)).text();
      expect(await text()).toBe(await text());
    },
  );

  // What the documents say is frozen here, so that every change of it is seen in review. `vitest run -u` writes them anew.
  it.each([
    ["openapi.json", document],
    ["frames.json", frames],
  ])("%s is what was agreed on", async (file, served) => {
    await expect(`${JSON.stringify(served, null, 2)}\n`).toMatchFileSnapshot(`golden/${file}`);
  });
});

const operations = operationsOf(document);

describe("nothing is left out, and nothing is made up", () => {
  it("routes", () => {
    const routed = app.routes
      .filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/"))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    const described = operations.map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual([...new Set(routed)].sort());
  });

  it("error codes, each under its status", () => {
    const described = new Set<string>();
    const { responses, examples } = document.components;
    const answers = [
      ...operations.flatMap(({ operation }) => Object.entries(operation.responses)),
      [String(STATUS_OF.not_found), responses["not_found"]] as const,
      [String(STATUS_OF.method_not_allowed), responses["method_not_allowed"]] as const,
    ];
    for (const [status, answer] of answers) {
      if (Number(status) < 400) continue;
      const { examples } = answer?.content?.["application/json"] ?? {};
      expect(examples).toBeDefined();
      for (const code of Object.keys(examples ?? {})) {
        expect([code, STATUS_OF[code as keyof typeof STATUS_OF]]).toEqual([code, Number(status)]);
        described.add(code);
      }
    }
    expect([...described].sort()).toEqual([...ERROR_CODES].sort());
    expect(Object.keys(examples).sort()).toEqual([...ERROR_CODES].sort());
  });

  it("frames, each with an example, in the direction it goes", () => {
    for (const [direction, name] of [
      ["human", "HumanFrame"],
      ["resident", "ResidentFrame"],
      ["room", "RoomFrame"],
    ] as const) {
      const types = FRAMES[direction].options.map((option) => option.shape.type.value);
      const described = (frames.$defs[name]?.oneOf ?? []).map(({ $ref }) => {
        const examples = frames.$defs[$ref.replace("#/$defs/", "")]?.examples ?? [];
        expect(examples).toHaveLength(1);
        return examples[0]?.["type"];
      });
      expect(described.sort()).toEqual([...types].sort());
    }
  });

  it("close codes, in both documents", () => {
    const description = String((frames as { description?: string }).description);
    const socket = document.paths["/api/room/socket"]?.["get"] as unknown as {
      description: string;
      "x-websocket": { closeCodes: { code: number }[] };
    };
    for (const code of Object.values(CLOSE)) {
      expect(description).toContain(`- ${code}: `);
      expect(socket.description).toContain(`- ${code}: `);
    }
    expect(socket["x-websocket"].closeCodes.map(({ code }) => code)).toEqual(Object.values(CLOSE));
  });
});

describe("the document is sound", () => {
  it("has the structure of OpenAPI 3.1", () => {
    expect(() => openApiStructure.parse(document)).not.toThrow();
  });

  it("names every operation once, every path parameter where it stands, every security scheme", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const named = (operation.parameters ?? []).filter((one) => one.in === "path");
      expect(named.map(({ name }) => name)).toEqual(inPath);
      for (const scheme of operation.security.flatMap((one) => Object.keys(one))) {
        expect(document.components.securitySchemes).toHaveProperty(scheme);
      }
    }
  });

  it.each([
    ["openapi.json", document],
    ["frames.json", frames],
  ])("%s has what it refers to, and nothing that nobody refers to", (_, whole) => {
    const references = [...JSON.stringify(whole).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    const used = new Set(references.map(([, pointer = ""]) => pointer));
    const missing = [...used].filter((pointer) => at(whole, pointer.split("/")) === undefined);
    expect(missing).toEqual([]);
    const defined = [
      ...Object.keys(frames === whole ? frames.$defs : {}).map((name) => `$defs/${name}`),
      ...Object.keys(frames === whole ? {} : document.components.schemas).map(
        (name) => `components/schemas/${name}`,
      ),
    ];
    expect(defined.filter((pointer) => !used.has(pointer))).toEqual([]);
  });

  const withExamples = operations.flatMap(({ operation }) =>
    [operation.requestBody, ...Object.values(operation.responses)].flatMap((one) =>
      Object.values(one?.content ?? {}).map((content) => ({ operation, content })),
    ),
  );

  it("every example has the shape that stands beside it", () => {
    let checked = 0;
    for (const { operation, content } of withExamples) {
      const checker = checkerOf(document, content.schema);
      for (const [name, example] of Object.entries(content.examples ?? {})) {
        const value =
          example.$ref === undefined ? example.value : at(document, [...pathOf(example), "value"]);
        const { error } = checker.safeParse(value);
        expect({ at: `${operation.operationId} ${name}`, error }).toMatchObject({
          error: undefined,
        });
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(operations.length);
    for (const [name, { examples }] of Object.entries(frames.$defs)) {
      for (const example of examples ?? []) {
        const { error } = frameCheckerOf(frames, name).safeParse(example);
        expect({ at: name, error }).toMatchObject({ error: undefined });
      }
    }
  });

  it("a schema refuses what is not of its shape, so that the checks above say something", () => {
    const decide = operations.find(
      ({ operation }) => operation.operationId === "decide",
    )?.operation;
    const body = decide?.requestBody?.content["application/json"]?.schema ?? {};
    expect(checkerOf(document, body).safeParse({ optionId: "a" }).success).toBe(true);
    for (const wrong of [{}, { optionId: 1 }, { optionId: "" }, [], "a"]) {
      expect(checkerOf(document, body).safeParse(wrong).success).toBe(false);
    }
    const conflict = decide?.responses["409"]?.content?.["application/json"]?.schema ?? {};
    const errorOf = (code: string): object => ({ error: { code, message: "" } });
    expect(checkerOf(document, conflict).safeParse(errorOf("already_settled")).success).toBe(true);
    expect(checkerOf(document, conflict).safeParse(errorOf("human_only")).success).toBe(false);
    const frame = frameCheckerOf(frames, "RoomFrame");
    expect(frame.safeParse({ type: "card_opened" }).success).toBe(false);
    expect(frame.safeParse({ type: "decide", requestId: "request-1", optionId: "a" }).success).toBe(
      false,
    );
  });
});

/** The value at a JSON pointer's steps. */
function at(whole: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (value, step) => z.record(z.string(), z.unknown()).parse(value)[step],
    whole,
  );
}

function pathOf({ $ref }: { $ref?: string }): string[] {
  return ($ref ?? "").replace("#/", "").split("/");
}
