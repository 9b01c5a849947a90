import { findEntry, type Announcement, type RoomState } from "../model/state.ts";
import { readKindOf } from "../model/evidence.ts";
import { announcements as words } from "../text/index.ts";
import { useRoom } from "./room-context.ts";
import { settledWords } from "./settled-words.tsx";
import { ToolKind } from "./what.tsx";
import { Who } from "./who.tsx";
import type { ComponentChild } from "preact";

/** Says once that a card came, who asks and of what kind, and once how it ended. Never what it wants. */
export function Announcer() {
  const { state } = useRoom();
  return (
    <div class="sr" role="log" aria-live="polite" aria-label={words.label}>
      {state.announcements.map((announcement) => (
        <p key={announcement.id}>{say(announcement, state)}</p>
      ))}
    </div>
  );
}

function say({ about, requestId }: Announcement, state: RoomState): ComponentChild {
  const card = findEntry(state, requestId)?.card;
  if (card === undefined) return null;
  const resident = <Who who={card.resident} />;
  if (about === "opened")
    return words.asks(resident, <ToolKind kind={readKindOf(card.toolCall)} brief />);
  if (card.settlement === undefined) return null;
  const how = settledWords(card.settlement, state.you?.participantId);
  return words.settled<ComponentChild>(resident, how);
}
