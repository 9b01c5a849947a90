import { isNameShared, shortId } from "../model/state.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { useRoom } from "./room-context.ts";

interface Named {
  participantId: string;
  name: string;
}

/** A participant by name; a short id beside it where two go by that name. */
export function Who({ who }: { who: Named }) {
  const { state } = useRoom();
  const isShared = isNameShared(state, who.name, who.participantId);
  return (
    <>
      <VisibleText text={who.name} />
      {isShared && (
        <>
          {" "}
          <ShortId id={who.participantId} />
        </>
      )}
    </>
  );
}

export function ShortId({ id }: { id: string }) {
  return <code class="short-id">{shortId(id)}</code>;
}

/** Two letters in a square for an agent, in a circle for a person. */
export function Avatar({ name, look }: { name: string; look: "agent" | "person" | "you" }) {
  const letters = [...name.replace(/[^\p{L}\p{N}]/gu, "")].slice(0, 2).join("") || "?";
  const classes = { agent: "avatar avatar-agent", person: "avatar", you: "avatar avatar-you" };
  return (
    <span class={classes[look]} aria-hidden="true">
      <bdi>{letters}</bdi>
    </span>
  );
}
