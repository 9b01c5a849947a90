import { joinRoom, RoomRefusal, RoomUnreachable } from "../../client/index.ts";
import type { RoomJoined } from "../../protocol/index.ts";
import type { JoinProblem } from "../text/index.ts";
import type { StopReason } from "../text/stops.ts";

export type JoinResult =
  | { type: "joined"; joined: RoomJoined }
  /** This link leads nowhere. */
  | { type: "stop"; reason: StopReason }
  /** Worth another try. */
  | { type: "problem"; problem: JoinProblem };

export async function join(server: string, invite: string, name: string): Promise<JoinResult> {
  try {
    return { type: "joined", joined: await joinRoom({ server }, invite, { name }) };
  } catch (error) {
    if (error instanceof RoomRefusal) return readRefusal(error);
    if (error instanceof RoomUnreachable) return { type: "problem", problem: "unreachable" };
    throw error;
  }
}

function readRefusal({ code, status }: RoomRefusal): JoinResult {
  switch (code) {
    case "room_closed":
    case "room_not_found":
      return { type: "stop", reason: "ended" };
    case "invalid_request":
      return { type: "problem", problem: "name" };
    case "room_full":
      return { type: "problem", problem: "full" };
    case "rate_limited":
      return { type: "problem", problem: "limited" };
    default:
      if (status === 410 || status === 404) return { type: "stop", reason: "ended" };
      if (status === 401 || status === 403) return { type: "stop", reason: "bad_invite" };
      return { type: "problem", problem: status === 429 ? "limited" : "unreachable" };
  }
}
