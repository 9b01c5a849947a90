import type { Participant } from "../../protocol/index.ts";
import { isOver, isPending, type CardEntry } from "../model/state.ts";
import { readKindOf } from "../model/evidence.ts";
import { room as words } from "../text/index.ts";
import { countdown } from "./time-words.ts";
import { goTo } from "./go-to.ts";
import { useRoom } from "./room-context.ts";
import { useNow } from "./use-now.ts";
import { ToolKind } from "./what.tsx";
import { Avatar, Who } from "./who.tsx";

/** The residents of the Room, and who waits for what: the index of the cards. */
export function Roster() {
  const { state } = useRoom();
  const residents = state.participants.filter((one) => one.role === "resident");
  const isHere = (one: Participant) => one.present || waitingOf(state.open, one).length > 0;
  const seats = [...residents.filter(isHere), ...residents.filter((one) => !isHere(one))];
  if (seats.length === 0 || isOver(state)) return null;
  return (
    <section class="section" aria-labelledby="residents">
      <h2 class="sr" id="residents">
        {words.residents}
      </h2>
      <ul class="roster">
        {seats.map((resident) => (
          <li key={resident.participantId}>
            <Seat resident={resident} waiting={waitingOf(state.open, resident)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function waitingOf(open: readonly CardEntry[], resident: Participant): CardEntry[] {
  return open.filter(
    (entry) => isPending(entry) && entry.card.resident.participantId === resident.participantId,
  );
}

function Seat({ resident, waiting }: { resident: Participant; waiting: CardEntry[] }) {
  const { state } = useRoom();
  const first = waiting[0];
  const name = (
    <span class="seat-who">
      <Who who={resident} />
    </span>
  );
  if (first === undefined) {
    return (
      <div class={resident.present ? "seat" : "seat seat-off"}>
        <Avatar name={resident.name} look="agent" />
        <span class="seat-main">
          <span class="seat-name">{name}</span>
          <span class="seat-state">
            {!resident.present ? words.offline : state.live ? words.idle : words.wasOnline}
          </span>
        </span>
      </div>
    );
  }
  const { requestId, toolCall } = first.card;
  return (
    <button
      class="seat seat-waits"
      type="button"
      onClick={() => goTo(`card-${requestId}`, "more-cards")}
    >
      <Avatar name={resident.name} look="agent" />
      <span class="seat-main">
        <span class="seat-name">
          {name}
          <TimeLeft expiresAt={first.card.expiresAt} />
        </span>
        <span class="seat-state">
          {waiting.length > 1 ? words.waitMany(waiting.length) : words.waits}
          <span class="sr">{words.forPerson}</span>
          {": "}
          <ToolKind kind={readKindOf(toolCall)} brief />
        </span>
      </span>
    </button>
  );
}

function TimeLeft({ expiresAt }: { expiresAt: number }) {
  const { state } = useRoom();
  const left = expiresAt - (useNow() + state.clockOffset);
  return <span class="seat-left">{countdown(left)}</span>;
}
