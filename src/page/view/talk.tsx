import { isOver } from "../model/state.ts";
import { Composer } from "./composer.tsx";
import { TalkLog } from "./talk-log.tsx";
import { useRoom } from "./room-context.ts";

/** Plain messages between people and agents. Nothing in here reaches a card. */
export function Talk() {
  const { state } = useRoom();
  return (
    <>
      <TalkLog />
      {!isOver(state) && <Composer />}
    </>
  );
}
