import { useEffect } from "preact/hooks";
import type { CardEntry } from "../model/state.ts";
import { fetching } from "../text/index.ts";
import { useRoom } from "./room-context.ts";
import { size } from "./time-words.ts";

/** How far a tool call has come that the frame did not carry. Asks for it as soon as it is shown. */
export function FetchedEvidence({ entry }: { entry: CardEntry }) {
  const { session } = useRoom();
  const { requestId, evidence } = entry.card;
  const isByReference = !evidence.inline;
  useEffect(() => {
    if (isByReference) session.loadToolCall(requestId);
  }, [session, requestId, isByReference]);
  if (!isByReference || entry.fetched?.state === "loaded") return null;
  return (
    <div class="ev" role="status">
      <p class="ev-none">{wordsFor(entry)}</p>
      {entry.fetched?.state === "failed" && entry.fetched.why !== "dropped" && (
        <p class="ev-none">
          <button class="btn" type="button" onClick={() => session.loadToolCall(requestId)}>
            {fetching.retry}
          </button>
        </p>
      )}
    </div>
  );
}

function wordsFor({ card, fetched }: CardEntry): string {
  if (fetched?.state === "failed") return fetching[fetched.why];
  if (fetched?.state === "unchecked") return fetching.unchecked;
  return fetching.loading(size(card.evidence.bytes));
}
