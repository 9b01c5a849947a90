import { isOver, type CardEntry } from "../model/state.ts";
import { fetching } from "../text/fetching.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { useRoom } from "./room-context.ts";
import { size } from "./time-words.ts";

/** How far the loading of a tool call has come, and what is not here. */
export function Fetching({ entry }: { entry: CardEntry }) {
  const { state, session } = useRoom();
  return (
    <div class="ev" role="status">
      <p class="ev-none">{wordsFor(entry)}</p>
      <CutFields entry={entry} />
      {canRetry(entry) && !isOver(state) && (
        <p class="ev-none">
          <button
            class="btn"
            type="button"
            onClick={() => session.loadToolCall(entry.card.requestId)}
          >
            {fetching.retry}
          </button>
        </p>
      )}
    </div>
  );
}

/** What the summary leaves out, by the names that the agent gave it, until it is here. */
function CutFields({ entry }: { entry: CardEntry }) {
  const { evidence } = entry.card;
  if (evidence.inline || evidence.cut.length === 0 || entry.fetched?.state === "unchecked") {
    return null;
  }
  return (
    <p class="ev-none">
      {fetching.cut}
      {evidence.cut.map((name, index) => (
        <span key={index}>
          {index > 0 && ", "}
          <span class="mono">
            <VisibleText text={name} dir="ltr" />
          </span>
        </span>
      ))}
      {evidence.cutMore !== undefined && fetching.cutMore(evidence.cutMore)}
    </p>
  );
}

function canRetry({ fetched }: CardEntry): boolean {
  return (
    fetched?.state === "unchecked" || (fetched?.state === "failed" && fetched.why !== "dropped")
  );
}

function wordsFor({ card, fetched }: CardEntry): string {
  if (fetched?.state === "failed") return fetching[fetched.why];
  if (fetched?.state === "unchecked") return fetching.unchecked;
  return fetching.loading(size(card.evidence.bytes));
}
