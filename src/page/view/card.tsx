import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { readSummary, readToolCall } from "../model/evidence.ts";
import { findWarnings } from "../model/warnings.ts";
import { isOver, type CardEntry } from "../model/state.ts";
import { options as words } from "../text/index.ts";
import { CardHead } from "./card-head.tsx";
import { Note } from "./choose-note.tsx";
import { Evidence } from "./evidence.tsx";
import { FetchedEvidence } from "./fetched-evidence.tsx";
import { Options } from "./options.tsx";
import { Outcome } from "./outcome.tsx";
import { Reading, useReading } from "./reading.ts";
import { useRoom } from "./room-context.ts";
import { useArming } from "./use-arming.ts";
import { useCardKeys } from "./use-card-keys.ts";
import { useLeaving } from "./use-leaving.ts";
import { useIsPast } from "./use-now.ts";
import { usePresses } from "./use-presses.ts";
import { useSettledPlace } from "./use-settled-place.ts";
import { WarningList } from "./warning-list.tsx";
import { What } from "./what.tsx";

/** One permission request, from who asks to how it ended. */
export function Card({ entry, showKeys }: { entry: CardEntry; showKeys: () => void }) {
  const { state, session } = useRoom();
  const { card } = entry;
  const { requestId } = card;
  const element = useRef<HTMLElement>(null);
  const choose = useRef<HTMLDivElement>(null);
  const arming = useArming(choose);
  const reading = useReading();
  const presses = usePresses();
  const [opened, setOpened] = useState<string>();
  const isDue = useIsPast(card.expiresAt - state.clockOffset);
  const isEnded = card.state !== "pending" || entry.standing === "gone";
  const over = isOver(state);

  const { disarm } = arming;
  const open = useCallback(
    (optionId: string | undefined) => {
      // Rows below the opened one move.
      setOpened(optionId);
      disarm();
    },
    [disarm],
  );
  const release = useCallback(() => session.release(requestId), [session, requestId]);
  useLeaving(element, isEnded, release);
  const minHeight = useSettledPlace(element, isEnded || isDue || over);
  const onKeyDown = useCardKeys(element, presses, showKeys);

  const hasOptions = !isEnded && !isDue && !over;
  useLayoutEffect(() => {
    // More time was given after it was up: the options are back where there were none.
    if (hasOptions) disarm();
  }, [hasOptions, disarm]);
  return (
    <section
      class="card"
      id={`card-${requestId}`}
      ref={element}
      role="group"
      tabIndex={0}
      aria-labelledby={`who-${requestId} what-${requestId}`}
      data-card={requestId}
      data-settled={isEnded ? card.state : undefined}
      style={{ minHeight }}
      onKeyDown={onKeyDown}
    >
      <CardHead entry={entry} id={`who-${requestId}`} isDue={isDue} presses={presses} />
      <Reading.Provider value={reading.report}>
        <CardBody entry={entry} />
      </Reading.Provider>
      <div ref={choose} class={hasOptions ? "choose" : undefined}>
        {hasOptions && (
          <Options
            entry={entry}
            arming={arming}
            isUnread={reading.isUnread}
            isRead={reading.isRead}
            presses={presses}
            opened={opened}
            open={open}
          />
        )}
      </div>
      {!hasOptions && <Ending entry={entry} />}
    </section>
  );
}

function Ending({ entry }: { entry: CardEntry }) {
  const over = isOver(useRoom().state);
  if (entry.card.settlement !== undefined) return <Outcome entry={entry} />;
  return (
    <div class="choose">
      <Note icon="clock">
        {over ? words.roomOver : entry.standing === "gone" ? words.gone : words.timeUp}
      </Note>
    </div>
  );
}

/** What is asked: the same for a card that waits and for one in the timeline. */
export function CardBody({ entry, id }: { entry: CardEntry; id?: string }) {
  const { card, fetched } = entry;
  const hasFetched = fetched?.state === "loaded" || fetched?.state === "unchecked";
  const toolCall = hasFetched ? fetched.toolCall : card.toolCall;
  const isSummary = !card.evidence.inline && !hasFetched;
  const read = useMemo(() => {
    const read = readToolCall(toolCall);
    return isSummary ? readSummary(read) : read;
  }, [toolCall, isSummary]);
  const warnings = useMemo(
    () => findWarnings(read, card.options, card.resident.name),
    [read, card.options, card.resident.name],
  );
  const evidence = useMemo(
    () => <Evidence key={String(isSummary)} read={read} />,
    [read, isSummary],
  );
  return (
    <div class="card-body">
      <What read={read} id={id ?? `what-${card.requestId}`} />
      <FetchedEvidence entry={entry} />
      {evidence}
      <WarningList warnings={warnings} />
    </div>
  );
}
