import type { Card } from "../../protocol/index.ts";
import { isOver, isPending, type CardEntry } from "../model/state.ts";
import { card as words, common } from "../text/index.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { Countdown } from "./countdown.tsx";
import { ExtensionLine, MoreTime } from "./more-time.tsx";
import { useRoom } from "./room-context.ts";
import { since } from "./time-words.ts";
import { useNow } from "./use-now.ts";
import type { Presses } from "./use-presses.ts";
import { Avatar, ShortId } from "./who.tsx";

interface Props {
  entry: CardEntry;
  id: string;
  /** The time is up by this page's reckoning; the Room has not said more. */
  isDue: boolean;
  presses: Presses;
}

/** Who asks, since when, and how long the answer can wait. */
export function CardHead({ entry, id, isDue, presses }: Props) {
  const { state } = useRoom();
  const { card } = entry;
  const isWaiting = isPending(entry) && !isOver(state);
  return (
    <header class="card-head">
      <Avatar name={card.resident.name} look="agent" />
      <p class="card-who">
        <span class="card-name" id={id}>
          <VisibleText text={card.resident.name} />
        </span>
        <ShortId id={card.resident.participantId} />
        <ResidentPresence card={card} />
        <Asked openedAt={card.openedAt} />
      </p>
      {isWaiting && (
        <div class="card-time">
          <Countdown
            openedAt={card.openedAt}
            expiresAt={card.expiresAt}
            clockOffset={state.clockOffset}
          />
          {!isDue && <MoreTime entry={entry} presses={presses} />}
        </div>
      )}
      {isWaiting && <ExtensionLine extension={entry.extension} />}
    </header>
  );
}

function Asked({ openedAt }: { openedAt: number }) {
  const { state } = useRoom();
  const now = useNow() + state.clockOffset;
  return (
    <span class="card-since">
      {words.asked}
      <time dateTime={new Date(openedAt).toISOString()}>{since(openedAt, now)}</time>
    </span>
  );
}

/** Online or offline, as the Room last said; what it says now is not known while this page is not connected. */
function ResidentPresence({ card }: { card: Card }) {
  const { state } = useRoom();
  const { participantId } = card.resident;
  const resident = state.participants.find((one) => one.participantId === participantId);
  const isOnline = resident?.present === true;
  if (!isOnline) return <span class="presence presence-off">{common.offline}</span>;
  if (!state.live) return <span class="presence presence-unknown">{common.wasOnline}</span>;
  return <span class="presence">{common.online}</span>;
}
