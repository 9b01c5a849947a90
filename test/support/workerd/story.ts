import { assert } from "vitest";
import {
  type ApiDocument,
  checkerOf,
  type DescribedContent,
  operationsOf,
  timeless,
  Translation,
} from "./described.ts";
import { ORIGIN, worker } from "./room.ts";

export interface Scene {
  /** Which security scheme the call uses, and the credential that it presents. */
  readonly as?: readonly [scheme: string, credential: string];
  /** Name of the documented example that is sent. */
  readonly send?: string;
  /** What differs in it from what is documented. */
  readonly but?: Record<string, unknown>;
  /** Values of path parameters, where not the documented examples. */
  readonly at?: Record<string, string>;
  /** The query parameter's documented example is sent too. */
  readonly withQuery?: boolean;
  readonly status: number;
  /** What the reply says for the first time: names of the story, and what they really are. */
  readonly learn?: (reply: Record<string, string>) => Record<string, string | undefined>;
  /** Name of the documented example that the reply has to be, but for ids and times. */
  readonly tells?: string;
}

/** Plays the examples of the OpenAPI document against the Worker, and keeps count of which were played. */
export class Story {
  readonly names = new Translation();
  readonly played = new Set<string>();
  readonly #document: ApiDocument;

  constructor(document: ApiDocument) {
    this.#document = document;
  }

  async play<T = Record<string, unknown>>(operationId: string, scene: Scene): Promise<T> {
    const { method, path, operation } = this.#find(operationId);
    const [scheme, credential] = scene.as ?? [];
    assert.deepInclude(operation.security, scheme === undefined ? {} : { [scheme]: [] });
    const content = operation.requestBody?.content["application/json"];
    assert.equal(scene.send !== undefined, content !== undefined, "a body goes where one belongs");
    const body = { ...this.#example(content, scene.send), ...scene.but };
    if (scene.send !== undefined) this.played.add(`${operationId} sends ${scene.send}`);
    const url = new URL(ORIGIN);
    url.pathname = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const parameter = operation.parameters?.find((one) => one.name === name);
      return this.names.toReal(scene.at?.[name] ?? String(parameter?.example));
    });
    const query = operation.parameters?.find((one) => one.in === "query");
    if (scene.withQuery === true && query !== undefined) {
      url.searchParams.set(query.name, String(query.example));
      this.played.add(`${operationId} asks for ${query.name}`);
    }
    const response = await worker().fetch(url.href, {
      method,
      headers: {
        ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
        ...(scene.send === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(scene.send === undefined ? {} : { body: JSON.stringify(this.names.toReal(body)) }),
    });
    const text = await response.text();
    assert.equal(response.status, scene.status, text);
    return this.#check(operationId, response, text, scene) as T;
  }

  /** Everything that the document shows and that a story can play. */
  all(): string[] {
    return operationsOf(this.#document).flatMap(({ operation }) => {
      const { operationId, parameters = [], requestBody, responses } = operation;
      const shown = (content: Record<string, DescribedContent> | undefined): string[] =>
        Object.values(content ?? {}).flatMap((one) => Object.keys(one.examples ?? {}));
      const successes = Object.entries(responses).filter(([status]) => Number(status) < 400);
      return [
        ...parameters
          .filter((one) => one.in === "query")
          .map(({ name }) => `${operationId} asks for ${name}`),
        ...shown(requestBody?.content).map((name) => `${operationId} sends ${name}`),
        ...successes.flatMap(([status, { content }]) =>
          shown(content).map((name) => `${operationId} tells ${status} ${name}`),
        ),
      ];
    });
  }

  #check(operationId: string, response: Response, text: string, scene: Scene): unknown {
    const { status } = response;
    const { tells, learn } = scene;
    const described = this.#find(operationId).operation.responses[status];
    assert.isDefined(described, `${operationId} documents ${status}`);
    if (described?.content === undefined) {
      assert.equal(text, "");
      return undefined;
    }
    const type = response.headers.get("content-type")?.split(";")[0] ?? "";
    const content = described.content[type];
    assert.isDefined(content, `${operationId} documents ${type}`);
    const reply: unknown = type === "application/json" ? JSON.parse(text) : text;
    checkerOf(this.#document, content?.schema ?? {}).parse(reply);
    for (const [told, real] of Object.entries(learn?.(reply as Record<string, string>) ?? {})) {
      this.names.add(told, real ?? "");
    }
    if (tells !== undefined) {
      assert.deepEqual(timeless(this.names.toTold(reply)), timeless(this.#example(content, tells)));
      this.played.add(`${operationId} tells ${status} ${tells}`);
    }
    return reply;
  }

  #example(content: DescribedContent | undefined, name: string | undefined): object {
    if (name === undefined) return {};
    const example = content?.examples?.[name];
    assert.isDefined(example, `there is an example ${name}`);
    return example?.value as object;
  }

  #find(operationId: string) {
    const found = operationsOf(this.#document).find(
      ({ operation }) => operation.operationId === operationId,
    );
    if (found === undefined) throw new Error(`no operation ${operationId}`);
    return found;
  }
}
