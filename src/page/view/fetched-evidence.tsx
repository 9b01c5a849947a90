import { useEffect } from "preact/hooks";
import type { CardEntry } from "../model/state.ts";
import { later } from "./later.tsx";
import { useRoom } from "./room-context.ts";

const Fetching = later(async () => (await import("./fetching.tsx")).Fetching);

/** How far a tool call has come that the frame did not carry. Asks for it as soon as it is shown. */
export function FetchedEvidence({ entry }: { entry: CardEntry }) {
  const { session } = useRoom();
  const { requestId, evidence } = entry.card;
  const isByReference = !evidence.inline;
  useEffect(() => {
    if (isByReference) session.loadToolCall(requestId);
  }, [session, requestId, isByReference]);
  if (!isByReference || entry.fetched?.state === "loaded") return null;
  return <Fetching entry={entry} />;
}
