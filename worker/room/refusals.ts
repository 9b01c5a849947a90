import type { Settlement } from "../../src/protocol/index.ts";
import { refused, type RoomReply } from "./reply.ts";

// Errors are for people: what happened, what was kept, what to do next.

export function unauthorized(): RoomReply {
  return refused({
    code: "unauthorized",
    message: "This credential is not, or no longer, valid in this Room. Join with an invite.",
  });
}

export function roomNotFound(): RoomReply {
  return refused({
    code: "room_not_found",
    message: "There is no such Room. It may have ended; create a new one.",
  });
}

export function requestNotFound(): RoomReply {
  return refused({
    code: "request_not_found",
    message: "This Room knows no such request of yours. Nothing was changed.",
  });
}

export function humanOnly(): RoomReply {
  return refused({
    code: "human_only",
    message: "Only a human in the Room can do this. The card is untouched.",
  });
}

export function residentOnly(): RoomReply {
  return refused({
    code: "resident_only",
    message: "Only the resident that drives the agent can do this. Nothing was changed.",
  });
}

export function alreadySettled(settlement: Settlement): RoomReply {
  return refused({
    code: "already_settled",
    message: "This request is already settled; this call was not used.",
    settlement,
  });
}

export function optionNotOffered(): RoomReply {
  return refused({
    code: "option_not_offered",
    message: "The agent did not offer this option. The request is still pending.",
  });
}

export function notSettled(): RoomReply {
  return refused({
    code: "not_settled",
    message: "This request is still pending: there is nothing to acknowledge yet.",
  });
}

export function requestConflict(): RoomReply {
  return refused({
    code: "request_conflict",
    message:
      "This requestId was used for another request. Nothing was opened; use a fresh random id for every request.",
  });
}

export function tooManyPending(): RoomReply {
  return refused({
    code: "too_many_pending",
    message:
      "Too many requests are waiting for people already. No card was opened and nobody has refused it; try again later.",
  });
}

export function roomFull(what: string): RoomReply {
  return refused({
    code: "room_full",
    message: `This Room holds as many ${what} as it can. Nothing was changed; create another Room.`,
  });
}

export function internal(): RoomReply {
  return refused({
    code: "internal",
    message: "The Room failed to handle this. Ask for the request's status before trying again.",
  });
}

export function invalidJson(): RoomReply {
  return refused({
    code: "invalid_json",
    message: "This is not JSON in well-formed UTF-8. Nothing was changed.",
  });
}

export function binaryFrame(): RoomReply {
  return refused({
    code: "invalid_request",
    message: "A frame is text; this one was binary. Nothing was changed.",
    issues: [{ path: [], message: "binary frame" }],
  });
}

export function notExtendable(): RoomReply {
  return refused({
    code: "not_extendable",
    message: "This request cannot wait any longer than it does. It is still pending.",
  });
}

export function participantNotFound(): RoomReply {
  return refused({
    code: "participant_not_found",
    message: "There is no such participant in this Room. Nothing was changed.",
  });
}

export function roomClosed(): RoomReply {
  return refused({
    code: "room_closed",
    message: "This Room has ended. Nothing that was waiting here is allowed; create a new Room.",
  });
}

export function rateLimited(): RoomReply {
  return refused({
    code: "rate_limited",
    message: "Too much at once. Nothing was changed; wait a moment and try again.",
  });
}
