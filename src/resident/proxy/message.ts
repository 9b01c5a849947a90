import { isRecord } from "../json-record.ts";
import { listMembers } from "./json-parts.ts";

/** A JSON-RPC id. Ids are equal where their keys are: 0 is an id, and "0" is another. */
export interface MessageId {
  key: string;
  /** As it was written: a number may hold more digits than JavaScript keeps. */
  json: string;
  isScalar: boolean;
}

/** One JSON-RPC message, as every reasonable parser may read it. */
export interface Message {
  bytes: Buffer;
  /** As `JSON.parse` reads it. */
  value: Record<string, unknown>;
  /** Every value under the name `method`, in any case. */
  methods: unknown[];
  /** Every value under the name `id`, in any case. */
  ids: MessageId[];
  /** The bytes of its `params`. */
  params: Buffer | undefined;
  /** Whether it carries a `result` or an `error`. */
  hasResult: boolean;
  /** Whether parsers may disagree on its method, id or params. */
  isAmbiguous: boolean;
}

/** Takes the bytes of a JSON object and what `JSON.parse` made of them. */
export function readMessage(bytes: Buffer, value: Record<string, unknown>): Message {
  const message: Message = {
    bytes,
    value,
    methods: [],
    ids: [],
    params: undefined,
    hasResult: false,
    isAmbiguous: false,
  };
  const seen = new Set<string>();
  for (const member of listMembers(bytes)) {
    // Some parsers match names in any case.
    const name = member.name.toLowerCase();
    if (name === "result" || name === "error") message.hasResult = true;
    if (name !== "method" && name !== "id" && name !== "params") continue;
    if (name !== member.name || seen.has(name)) message.isAmbiguous = true;
    seen.add(name);
    if (name === "method") message.methods.push(JSON.parse(member.value.toString()));
    if (name === "id") message.ids.push(readId(member.value));
    if (name === "params") message.params = member.value;
  }
  return message;
}

/** The key of an id that was parsed; no message has the one of anything else than a scalar. */
export function keyOf(id: unknown): string {
  return typeof id === "object" && id !== null ? "" : String(JSON.stringify(id));
}

/** The params of a message, where they are an object. */
export function paramsOf({ value }: Message): Record<string, unknown> {
  return isRecord(value["params"]) ? value["params"] : {};
}

/** An id for people: the agent's or the client's text, in plain characters and short. */
export function showId({ json }: Pick<MessageId, "json">): string {
  const plain = json.replace(/[^\x20-\x7e]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return plain.length <= 80 ? plain : `${plain.slice(0, 80)}…`;
}

function readId(bytes: Buffer): MessageId {
  const json = bytes.toString();
  const isScalar = !json.startsWith("{") && !json.startsWith("[");
  return { key: isScalar ? keyOf(JSON.parse(json)) : json, json, isScalar };
}
