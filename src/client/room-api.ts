import {
  inviteMinted,
  requestStatus,
  roomCreated,
  roomJoined,
  roomView,
  type InviteMinted,
  type PermissionRequest,
  type RequestStatus,
  type ResidentWithdrawReason,
  type Role,
  type RoomCreated,
  type RoomJoined,
  type RoomView,
} from "../protocol/index.ts";
import { RoomUnreachable } from "./errors.ts";
import { type Call, callForBytes, callForJson, callForNothing, type RoomAddress } from "./http.ts";

export type { RoomAddress } from "./http.ts";

// Every call here throws RoomRefusal where the Room refused, RoomUnreachable where it gave no answer of its own.

/** Makes a Room. `creationKey`: for a deployment that asks for one. */
export function createRoom(
  address: RoomAddress,
  body: { name?: string },
  creationKey?: string,
): Promise<RoomCreated> {
  const call = { method: "POST", path: "/api/rooms", credential: creationKey, body } as const;
  return callForJson(address, call, roomCreated);
}

/** Trades an invite for a participant token; the role is the invite's. */
export function joinRoom(
  address: RoomAddress,
  invite: string,
  body: { name: string },
  signal?: AbortSignal,
): Promise<RoomJoined> {
  const path = "/api/room/join";
  const call = { method: "POST", path, credential: invite, body, signal } as const;
  return callForJson(address, call, roomJoined);
}

/** How the record of a Room can be had, and as what it comes. */
const HISTORY_TYPES = { jsonl: "application/jsonl", csv: "text/csv" } as const;
export type HistoryFile = keyof typeof HISTORY_TYPES;

/** How long the whole record of a Room may take. */
const HISTORY_TIMEOUT_MS = 60_000;

/** A participant's calls over HTTP. */
export class RoomApi {
  readonly #address: RoomAddress;
  readonly #token: string;

  constructor(address: RoomAddress & { token: string }) {
    this.#address = address;
    this.#token = address.token;
  }

  /** The Room as `welcome` shows it. */
  room(signal?: AbortSignal): Promise<RoomView> {
    const call = { method: "GET", path: "/api/room", credential: this.#token, signal } as const;
    return callForJson(this.#address, call, roomView);
  }

  /** Opens a card; safe to repeat with the same content. */
  request(body: PermissionRequest, signal?: AbortSignal): Promise<RequestStatus> {
    return this.#post(body.requestId, "/api/room/permissions/request", body, signal);
  }

  /** How a request stands; with `waitMs` (at most WAIT_MAX_MS) once it is settled or the time is up. */
  status(
    requestId: string,
    options: { waitMs?: number } = {},
    signal?: AbortSignal,
  ): Promise<RequestStatus> {
    const { waitMs } = options;
    const query = waitMs === undefined ? "" : `?waitMs=${waitMs}`;
    const path = permissionPath(requestId) + query;
    const call = { method: "GET", path, credential: this.#token, waitMs, signal } as const;
    return this.#statusOf(requestId, call);
  }

  /** The stored tool call, byte for byte: what a card's `evidence.sha256` is the hash of. */
  async toolCall(requestId: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const path = permissionPath(requestId, "/tool-call");
    const call = { method: "GET", path, credential: this.#token, signal } as const;
    return (await callForBytes(this.#address, call)).bytes;
  }

  decide(requestId: string, optionId: string): Promise<RequestStatus> {
    return this.#post(requestId, permissionPath(requestId, "/decide"), { optionId });
  }

  dismiss(requestId: string): Promise<RequestStatus> {
    return this.#post(requestId, permissionPath(requestId, "/dismiss"), {});
  }

  /** `expiresAt`: the deadline as shown to whoever extends it. */
  extend(requestId: string, expiresAt: number): Promise<RequestStatus> {
    return this.#post(requestId, permissionPath(requestId, "/extend"), { expiresAt });
  }

  withdraw(requestId: string, reason: ResidentWithdrawReason): Promise<RequestStatus> {
    return this.#post(requestId, permissionPath(requestId, "/withdraw"), { reason });
  }

  ack(requestId: string, applied: boolean): Promise<RequestStatus> {
    return this.#post(requestId, permissionPath(requestId, "/ack"), { applied });
  }

  /** The record of every settled card, oldest first, as a file. */
  async history(format: HistoryFile): Promise<Uint8Array<ArrayBuffer>> {
    const path = `/api/room/history?format=${format}`;
    const call = { method: "GET", path, credential: this.#token } as const;
    const address = { ...this.#address, timeoutMs: HISTORY_TIMEOUT_MS };
    return (await callForBytes(address, call, HISTORY_TYPES[format])).bytes;
  }

  /** One more invite for that role. */
  invite(role: Role): Promise<InviteMinted> {
    const path = "/api/room/invites";
    const call = { method: "POST", path, credential: this.#token, body: { role } } as const;
    return callForJson(this.#address, call, inviteMinted);
  }

  /** Revokes a participant's token; a resident's pending cards are withdrawn. */
  remove(participantId: string): Promise<void> {
    return this.#order(`/api/room/participants/${encodeURIComponent(participantId)}/remove`);
  }

  /** Gives up this token; a resident's pending cards are withdrawn. */
  leave(): Promise<void> {
    return this.#order("/api/room/leave");
  }

  /** Ends the Room for everyone. */
  close(): Promise<void> {
    return this.#order("/api/room/close");
  }

  #post(
    requestId: string,
    path: string,
    body: unknown,
    signal?: AbortSignal,
  ): Promise<RequestStatus> {
    const call = { method: "POST", path, credential: this.#token, body, signal } as const;
    return this.#statusOf(requestId, call);
  }

  /** A reply that speaks of another request is no answer to this one. */
  async #statusOf(requestId: string, call: Call): Promise<RequestStatus> {
    const status = await callForJson(this.#address, call, requestStatus);
    if (status.requestId !== requestId) throw new RoomUnreachable(undefined);
    return status;
  }

  #order(path: string): Promise<void> {
    const call = { method: "POST", path, credential: this.#token, body: {} } as const;
    return callForNothing(this.#address, call);
  }
}

function permissionPath(requestId: string, action = ""): string {
  return `/api/room/permissions/${encodeURIComponent(requestId)}${action}`;
}
