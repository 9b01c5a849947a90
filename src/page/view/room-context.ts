import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { NO_ROOM, type RoomState } from "../model/state.ts";
import type { RoomSession } from "../session/room-session.ts";

/** What every part of the Room's page may look at and ask for. */
export interface RoomView {
  state: RoomState;
  session: Pick<
    RoomSession,
    "decide" | "tellNotSent" | "loadToolCall" | "release" | "reconnectNow"
  >;
}

const nothing = () => {};

export const RoomContext = createContext<RoomView>({
  state: NO_ROOM,
  session: {
    decide: nothing,
    tellNotSent: nothing,
    loadToolCall: nothing,
    release: nothing,
    reconnectNow: nothing,
  },
});

export function useRoom(): RoomView {
  return useContext(RoomContext);
}
