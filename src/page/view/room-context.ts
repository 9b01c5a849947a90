import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { RoomState } from "../model/state.ts";
import type { RoomSession } from "../session/room-session.ts";

/** What every part of the Room's page may look at and ask for. */
export interface RoomView {
  state: RoomState;
  session: RoomSession;
  /** Gives up this browser's key to the Room and goes. Throws as `RoomApi.leave` does, and then nothing has gone. */
  leave(): Promise<void>;
}

const Context = createContext<RoomView | undefined>(undefined);
export const RoomProvider = Context.Provider;

export function useRoom(): RoomView {
  const room = useContext(Context);
  if (room === undefined) throw new Error("not inside a Room's page");
  return room;
}
