import {
  env,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { expect } from "vitest";
import type {
  RequestStatus,
  RoomCreated,
  RoomFrame,
  RoomJoined,
} from "../../../src/protocol/index.ts";
import type { Env } from "../../../worker/env.ts";
import type { Room } from "../../../worker/room/room.ts";
import { openSocket, type TestSocket } from "./socket.ts";

declare global {
  namespace Cloudflare {
    // oxlint-disable-next-line typescript/no-empty-object-type -- the pool reads bindings from here
    interface Env extends TestEnv {}
  }
}
type TestEnv = Env;

export const ORIGIN = "https://room.test";

export interface Reply<T = unknown> {
  status: number;
  headers: Headers;
  body: T & { error?: { code: string; [fact: string]: unknown } };
}

/** A call through the Worker's own entry. */
export async function call<T = Record<string, unknown>>(
  method: string,
  path: string,
  options: {
    token?: string;
    body?: unknown;
    raw?: BodyInit;
    headers?: Record<string, string>;
  } = {},
): Promise<Reply<T>> {
  const { token, body, raw } = options;
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await worker().fetch(`${ORIGIN}${path}`, {
    method,
    headers: {
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...options.headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text || "null") };
}

export function worker(): Fetcher {
  return (exports as unknown as { default: Fetcher }).default;
}

/** One participant of a test's Room. */
export interface Member {
  readonly name: string;
  readonly participantId: string;
  readonly token: string;
  socket(): Promise<TestSocket>;
}

export interface TestRoom {
  readonly created: RoomCreated;
  human(name?: string): Promise<Member>;
  resident(name?: string): Promise<Member>;
  /** The object loses its memory, as after ten idle seconds; with `close` its sockets are cut too, as by a deploy. */
  evict(webSockets?: "hibernate" | "close"): Promise<void>;
  /** The object is killed at once, in the middle of whatever it does. */
  abort(): Promise<void>;
  alarm(): Promise<boolean>;
  /** Resolves once the Room has noticed that a member has no socket any more. */
  disconnected(member: Member): Promise<void>;
  inside<T>(look: (room: Room, state: DurableObjectState) => T | Promise<T>): Promise<T>;
}

export async function createRoom(name = "Test"): Promise<TestRoom> {
  const { body } = await call<RoomCreated>("POST", "/api/rooms", { body: { name } });
  const stub = (): DurableObjectStub<Room> =>
    env.ROOMS.get(env.ROOMS.idFromString(hexOf(body.roomId)));
  const join = async (invite: string, as: string): Promise<Member> => {
    const joined = await call<RoomJoined>("POST", "/api/room/join", {
      token: invite,
      body: { name: as },
    });
    const { participantId, token, name } = joined.body;
    return { name, participantId, token, socket: () => openSocket(worker(), ORIGIN, token) };
  };
  return {
    created: body,
    human: (as = "Ana") => join(body.humanInvite, as),
    resident: (as = "claude") => join(body.residentInvite, as),
    evict: (webSockets = "hibernate") => evictDurableObject(stub(), { webSockets }),
    abort: () =>
      runInDurableObject(stub(), (_, state) => state.abort("killed by a test")).catch(() => {}),
    alarm: () => runDurableObjectAlarm(stub()),
    disconnected: (member) =>
      expect
        .poll(() =>
          runInDurableObject(stub(), (_, state) =>
            state
              .getWebSockets(`p:${member.participantId}`)
              .every((socket) => socket.readyState !== WebSocket.OPEN),
          ),
        )
        .toBe(true),
    inside: (look) => runInDurableObject(stub(), look),
  };
}

export function hexOf(roomId: string): string {
  const bytes = atob(roomId.replaceAll("-", "+").replaceAll("_", "/"));
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/** What most agents offer. */
export const STD = [
  { optionId: "allow-1", name: "Allow once", kind: "allow_once" },
  { optionId: "always-9", name: "Always allow", kind: "allow_always" },
  { optionId: "no-2", name: "Reject", kind: "reject_once" },
];

let lastId = 0;

export function freshId(): string {
  lastId += 1;
  return `request-${String(lastId).padStart(6, "0")}`;
}

export function requestBody(requestId: string, more: Record<string, unknown> = {}): object {
  return {
    requestId,
    toolCall: {
      toolCallId: "t1",
      title: "npm test",
      kind: "execute",
      rawInput: { command: "npm test" },
    },
    options: STD,
    ...more,
  };
}

/** Opens a card and returns its id. */
export async function ask(resident: Member, more: Record<string, unknown> = {}): Promise<string> {
  const requestId = freshId();
  const reply = await post(resident, requestId, more);
  if (reply.status !== 201) throw new Error(`not opened: ${JSON.stringify(reply.body)}`);
  return requestId;
}

export function post(
  resident: Member,
  requestId: string,
  more: Record<string, unknown> = {},
): Promise<Reply<RequestStatus>> {
  return call("POST", "/api/room/permissions/request", {
    token: resident.token,
    body: requestBody(requestId, more),
  });
}

export function statusAs(member: Member, requestId: string): Promise<Reply<RequestStatus>> {
  return call("GET", `/api/room/permissions/${requestId}`, { token: member.token });
}

export function ackAs(
  member: Member,
  requestId: string,
  applied: boolean,
): Promise<Reply<RequestStatus>> {
  return call("POST", `/api/room/permissions/${requestId}/ack`, {
    token: member.token,
    body: { applied },
  });
}

export function withdrawAs(
  member: Member,
  requestId: string,
  reason = "turn_ended",
): Promise<Reply<RequestStatus>> {
  return call("POST", `/api/room/permissions/${requestId}/withdraw`, {
    token: member.token,
    body: { reason },
  });
}

export type { RoomFrame };
