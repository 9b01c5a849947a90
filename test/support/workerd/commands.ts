import type { HistoryRecord, RequestStatus } from "../../../src/protocol/index.ts";
import { call, type Member, ORIGIN, type Reply, worker } from "./room.ts";

// What participants do over HTTP, one function a route.

export function decideAs(
  member: Member,
  requestId: string,
  optionId: string,
): Promise<Reply<RequestStatus>> {
  return command(member, `permissions/${requestId}/decide`, { optionId });
}

export function dismissAs(member: Member, requestId: string): Promise<Reply<RequestStatus>> {
  return command(member, `permissions/${requestId}/dismiss`, {});
}

/** `seen`: the deadline as shown. */
export function extendAs(
  member: Member,
  requestId: string,
  seen: number,
): Promise<Reply<RequestStatus>> {
  return command(member, `permissions/${requestId}/extend`, { expiresAt: seen });
}

export function waitAs(
  member: Member,
  requestId: string,
  waitMs: number | string,
): Promise<Reply<RequestStatus>> {
  return call("GET", `/api/room/permissions/${requestId}?waitMs=${waitMs}`, {
    token: member.token,
  });
}

export function removeAs(member: Member, participantId: string): Promise<Reply> {
  return command(member, `participants/${participantId}/remove`, {});
}

export function leaveAs(member: Member): Promise<Reply> {
  return command(member, "leave", {});
}

export function closeAs(member: Member): Promise<Reply> {
  return command(member, "close", {});
}

export function mintAs(
  member: Member,
  role: string,
): Promise<Reply<{ invite: string; url?: string }>> {
  return command(member, "invites", { role });
}

/** The history as it comes, whatever its format. */
export function historyAs(member: Member, query = ""): Promise<Response> {
  return worker().fetch(`${ORIGIN}/api/room/history${query}`, {
    headers: { authorization: `Bearer ${member.token}` },
  });
}

export async function recordsAs(member: Member): Promise<HistoryRecord[]> {
  const response = await historyAs(member);
  if (response.status !== 200) throw new Error(`no history: ${response.status}`);
  return response.json();
}

function command<T>(member: Member, path: string, body: object): Promise<Reply<T>> {
  return call("POST", `/api/room/${path}`, { token: member.token, body });
}
