import type { ComponentChild } from "preact";
import { RoomRefusal } from "../../client/index.ts";
import type { Participant } from "../../protocol/index.ts";
import { isPending, waitingCount, type RoomState } from "../model/state.ts";
import { common } from "../text/index.ts";
import { people as words } from "../text/people.ts";
import { Confirm } from "./confirm.tsx";
import { HistoryButtons } from "./history-buttons.tsx";
import { PanelFrame } from "./panel-frame.tsx";
import { useRoom } from "./room-context.ts";
import { Avatar, Who } from "./who.tsx";

/** Who is in the Room, and the ways out of it: somebody else's, one's own, everybody's. */
export function PeoplePanel({ close }: { close: () => void }) {
  const { state, session, leave } = useRoom();
  const you = state.you?.participantId;
  return (
    <PanelFrame title={words.title} close={close}>
      <ul class="members" aria-label={words.list}>
        {sorted(state).map((one) => (
          <li class="member" key={one.participantId}>
            <Avatar name={one.name} look={lookOf(one, you)} />
            <p class="member-who">
              <span class="member-name">
                {one.participantId === you
                  ? common.you<ComponentChild>(<Who who={one} />)
                  : [<Who key="who" who={one} />]}
              </span>
              <span class="count">{one.role === "human" ? words.person : words.agent}</span>
              <span class={one.present ? "presence" : "presence presence-off"}>
                {one.present ? common.online : common.offline}
              </span>
            </p>
            {one.participantId !== you && <Remove who={one} />}
          </li>
        ))}
      </ul>
      <div class="exits" role="group" aria-label={words.ending}>
        <Confirm
          first={words.leave}
          second={words.leaveIt}
          doing={words.leaving}
          says={words.leaveSays}
          act={leave}
        />
        <Confirm
          first={words.end}
          second={words.endIt}
          doing={words.endingNow}
          says={words.endSays(waitingCount(state))}
          act={() => session.api.close()}
        >
          <p class="confirm-keep">
            {words.keep} <HistoryButtons />
          </p>
        </Confirm>
      </div>
    </PanelFrame>
  );
}

function Remove({ who }: { who: Participant }) {
  const { state, session } = useRoom();
  const name = <Who who={who} />;
  const remove = async () => {
    try {
      await session.api.remove(who.participantId);
    } catch (error) {
      // Somebody else was quicker, or it has left.
      const isGone = error instanceof RoomRefusal && error.code === "participant_not_found";
      if (!isGone) throw error;
    }
    session.noteDeparted(who.participantId);
  };
  const first = (
    <>
      <span aria-hidden="true">{words.remove}</span>
      <span class="sr">{words.removeWho<ComponentChild>(name)}</span>
    </>
  );
  const says =
    who.role === "human"
      ? words.removePerson<ComponentChild>(name)
      : words.removeAgent<ComponentChild>(name, waitingFor(state, who));
  return (
    <Confirm
      first={first}
      second={words.removeIt}
      doing={words.removing}
      says={says}
      act={remove}
    />
  );
}

function waitingFor(state: RoomState, { participantId }: Participant): number {
  return state.open.filter(
    (entry) => isPending(entry) && entry.card.resident.participantId === participantId,
  ).length;
}

function lookOf(one: Participant, you: string | undefined): "agent" | "you" | "person" {
  if (one.role === "resident") return "agent";
  return one.participantId === you ? "you" : "person";
}

/** You, people, agents; who is here before who is not. */
function sorted({ participants, you }: RoomState): Participant[] {
  const rank = (one: Participant) =>
    (one.participantId === you?.participantId ? 0 : 4) +
    (one.role === "human" ? 0 : 2) +
    (one.present ? 0 : 1);
  return [...participants].sort((one, other) => rank(one) - rank(other));
}
