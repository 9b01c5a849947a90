import type { EvidenceLock } from "../model/locks.ts";
import type { CardEntry } from "../model/state.ts";
import { options as words } from "../text/index.ts";
import { Icon, type IconName } from "./icons.tsx";
import { useRoom } from "./room-context.ts";
import { Who } from "./who.tsx";
import type { ComponentChildren } from "preact";

const LOCK_WORDS: Readonly<Record<EvidenceLock, string>> = {
  unread: words.locked,
  loading: words.loading,
  unavailable: words.unavailable,
};

interface Props {
  id: string;
  entry: CardEntry;
  reason: EvidenceLock | undefined;
  isRead: boolean;
}

/** Above the options: why rows are flat. It keeps its place once they are not, so that no row moves as it opens. */
export function ChooseNote({ id, entry, reason, isRead }: Props) {
  const { state } = useRoom();
  const { card } = entry;
  const resident = state.participants.find(
    (one) => one.participantId === card.resident.participantId,
  );
  const name = <Who who={card.resident} />;
  return (
    <>
      <p hidden id={`label-${card.requestId}`}>
        {words.label(name)}
      </p>
      {state.live && resident?.present !== true && <Note icon="off">{words.offline(name)}</Note>}
      {entry.standing === "checking" && <Note icon="clock">{words.checking}</Note>}
      {reason !== undefined ? (
        <Note id={id} icon="lock">
          {LOCK_WORDS[reason]}
          {state.live && words.refusingLive}
        </Note>
      ) : isRead ? (
        <Note id={id} icon="allow">
          {words.read}
        </Note>
      ) : (
        <span hidden id={id}>
          {words.arming}
        </span>
      )}
    </>
  );
}

export function Note(props: { id?: string; icon: IconName; children: ComponentChildren }) {
  return (
    <p class="choose-note" id={props.id}>
      <Icon name={props.icon} small />
      <span>{props.children}</span>
    </p>
  );
}
