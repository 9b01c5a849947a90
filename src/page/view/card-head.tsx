import type { Card } from "../../protocol/index.ts";
import { isPending, type CardEntry } from "../model/state.ts";
import { card as words, common } from "../text/index.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { Countdown } from "./countdown.tsx";
import { useRoom } from "./room-context.ts";
import { since } from "./time-words.ts";
import { useNow } from "./use-now.ts";
import { Avatar, ShortId } from "./who.tsx";

/** Who asks, since when, and how long the answer can wait. */
export function CardHead({ entry, id }: { entry: CardEntry; id: string }) {
  const { state } = useRoom();
  const { card } = entry;
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
      {isPending(entry) && (
        <div class="card-time">
          <Countdown
            openedAt={card.openedAt}
            expiresAt={card.expiresAt}
            clockOffset={state.clockOffset}
          />
        </div>
      )}
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
