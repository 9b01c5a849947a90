import { CLOSE } from "../../protocol/index.ts";
import { endedHere, replaced, room as words, stop as stopWords } from "../text/index.ts";
import { Icon } from "./icons.tsx";
import { useRoom } from "./room-context.ts";
import { useNow } from "./use-now.ts";

/** Why nothing that is pressed is sent, while that is so. */
export function Banner() {
  const { state, session } = useRoom();
  const { connection } = state;
  const now = useNow();
  if (state.live) return null;
  if (connection.state === "closed") {
    const hasEnded = connection.code === CLOSE.roomClosed;
    const { title, text, next } = hasEnded ? endedHere : replaced;
    return (
      <div class="banner" role="alert">
        <Icon name="off" />
        <p>
          <strong>{title}.</strong> {text} {next}
        </p>
        {hasEnded && (
          <a class="btn" href="/">
            {stopWords.newRoom}
          </a>
        )}
      </div>
    );
  }
  // On its way into the Room for the first time: nothing was lost.
  if (state.room === undefined && connection.state !== "waiting") return null;
  const seconds = connection.state === "waiting" ? Math.ceil((connection.retryAt - now) / 1000) : 0;
  return (
    <div class="banner">
      <Icon name="off" />
      <p>{seconds > 0 ? words.retryIn(seconds) : words.reconnecting}</p>
      {connection.state === "waiting" && (
        <button class="btn" type="button" onClick={() => session.reconnectNow()}>
          {words.retryNow}
        </button>
      )}
    </div>
  );
}
