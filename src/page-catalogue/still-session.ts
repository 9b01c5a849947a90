import { pageNow } from "../page/session/page-clock.ts";
import { RoomApi } from "../client/index.ts";
import { reduce, type RoomEvent } from "../page/model/reduce.ts";
import { NO_ROOM, type RoomState } from "../page/model/state.ts";
import type { RoomSession } from "../page/session/room-session.ts";
import { makeStore } from "../page/session/store.ts";

/** A session in which nothing happens but what is given: no press of it reaches a Room. */
export function openStillSession(events: readonly RoomEvent[]): RoomSession {
  const store = makeStore<RoomState, RoomEvent>(NO_ROOM, reduce);
  for (const event of events) store.dispatch(event);
  return {
    store,
    api: new RoomApi({ server: location.origin, token: "" }),
    answer: (requestId, optionId) =>
      store.dispatch({ type: "pressed", requestId, optionId, now: pageNow() }),
    tellNotSent: (requestId, optionId) => store.dispatch({ type: "not_sent", requestId, optionId }),
    extend: (requestId) =>
      store.dispatch({ type: "extension", requestId, extension: { state: "sending" } }),
    say: async () => {},
    noteDeparted: (participantId) => store.dispatch({ type: "departed", participantId }),
    loadToolCall: () => {},
    // What is settled stays in its place, to be looked at.
    release: () => {},
    reconnectNow: () => {},
    close: () => {},
  };
}
