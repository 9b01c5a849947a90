import { type ErrorCode, type ErrorDetail, limits } from "../../src/protocol/index.ts";
import { decidedByAna } from "./examples.ts";

/** What each error code says, as it stands on the wire. */
export const ERROR_EXAMPLES: Readonly<Record<ErrorCode, Omit<ErrorDetail, "code">>> = {
  invalid_json: { message: "This is not JSON in well-formed UTF-8. Nothing was changed." },
  invalid_request: {
    message:
      "Not understood at optionId: Invalid input: expected string, received undefined. Nothing was changed.",
    issues: [{ path: ["optionId"], message: "Invalid input: expected string, received undefined" }],
  },
  option_not_offered: {
    message: "The agent did not offer this option. The request is still pending.",
  },
  unauthorized: { message: "This call needs a credential: Authorization: Bearer hr1.…." },
  human_only: { message: "Only a human in the Room can do this. The card is untouched." },
  resident_only: {
    message: "Only the resident that drives the agent can do this. Nothing was changed.",
  },
  forbidden_host: { message: "This server does not answer under this host name." },
  not_found: { message: "There is no such route. See the README for the API." },
  room_not_found: { message: "There is no such Room. It may have ended; create a new one." },
  request_not_found: { message: "This Room knows no such request of yours. Nothing was changed." },
  participant_not_found: {
    message: "There is no such participant in this Room. Nothing was changed.",
  },
  method_not_allowed: { message: "This route takes POST." },
  already_settled: {
    message: "This request is already settled; this call was not used.",
    settlement: decidedByAna,
  },
  not_settled: {
    message: "This request is still pending: there is nothing to acknowledge yet.",
  },
  request_conflict: {
    message:
      "This requestId was used for another request. Nothing was opened; use a fresh random id for every request.",
  },
  not_extendable: {
    message: "This request cannot wait any longer than it does. It is still pending.",
  },
  room_closed: {
    message: "This Room has ended. Nothing that was waiting here is allowed; create a new Room.",
  },
  payload_too_large: {
    message: "The body is too large. Nothing was changed; the request was not shown to anybody.",
    limitBytes: limits.BODY_BYTES,
  },
  unsupported_media_type: { message: "Send the body as content-type application/json." },
  upgrade_required: {
    message:
      "This route is a WebSocket: connect with the subprotocols handraise.v1 and token.<credential>.",
  },
  too_many_pending: {
    message:
      "Too many requests are waiting for people already. No card was opened and nobody has refused it; try again later.",
  },
  rate_limited: { message: "Too much at once. Nothing was changed; wait a moment and try again." },
  room_full: {
    message:
      "This Room holds as many participants as it can. Nothing was changed; create another Room.",
  },
  internal: {
    message: "The server failed to handle this. Nothing more is known; try again.",
  },
  unavailable: { message: "The Room cannot be reached right now. Try again shortly." },
};
