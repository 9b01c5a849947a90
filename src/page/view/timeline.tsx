import { useMemo, useState } from "preact/hooks";
import { limits, type Settlement } from "../../protocol/index.ts";
import { headline, readToolCall } from "../model/evidence.ts";
import { equallyNamed } from "../model/option-kind.ts";
import { isOver, type CardEntry } from "../model/state.ts";
import { options as optionWords, room as words } from "../text/index.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { CardBody } from "./card.tsx";
import { Icon } from "./icons.tsx";
import { later } from "./later.tsx";
import { OptionRow } from "./option-row.tsx";
import { Steps } from "./outcome.tsx";
import { useRoom } from "./room-context.ts";
import { SteadyRoom } from "./steady-room.tsx";
import { deliveryWord, settledLook, settledMore, settledWords } from "./settled-words.tsx";
import { timeOfDay } from "./time-words.ts";
import { ToolKind } from "./what.tsx";
import { Who } from "./who.tsx";

const HistoryButtons = later(async () => (await import("./history-buttons.tsx")).HistoryButtons);

/** What has been settled, newest first. */
export function Timeline() {
  const { state } = useRoom();
  return (
    <section class="section" id="settled" tabIndex={-1} aria-labelledby="settled-title">
      {state.settled.length > 0 && (
        <>
          <div class="section-head">
            <h2 id="settled-title">{words.settledTitle}</h2>
            {state.settled.length >= limits.RECENT_CARDS && (
              <span class="count">{words.newest(limits.RECENT_CARDS)}</span>
            )}
            {!isOver(state) && (
              <span class="section-tools">
                <HistoryButtons />
              </span>
            )}
          </div>
          <ol class="timeline">
            {state.settled.map((entry) => (
              <li key={entry.card.requestId}>
                <SteadyRoom entry={entry}>
                  <Row entry={entry} />
                </SteadyRoom>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Row({ entry }: { entry: CardEntry }) {
  const { state } = useRoom();
  const [isOpen, setOpen] = useState(false);
  const { card } = entry;
  const { toolCall, settlement } = card;
  const read = useMemo(() => readToolCall(toolCall), [toolCall]);
  if (settlement === undefined) return null;
  const { icon, tone } = settledLook(settlement);
  const what = headline(read);
  const delivery = deliveryWord(card, state);
  return (
    <details
      data-settled-card={card.requestId}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary class={`entry ${tone}`}>
        <Icon name={icon} />
        <span class="entry-main">
          <span class="entry-text">{settledWords(settlement, state.you?.participantId)}</span>
          <span class="entry-what">
            <Who who={card.resident} /> · <ToolKind kind={read.kind} brief />
            {what !== undefined && (
              <>
                {" · "}
                <code>
                  <VisibleText text={what} dir="ltr" />
                </code>
              </>
            )}
          </span>
        </span>
        <span class="entry-side">
          <time dateTime={new Date(settlement.at).toISOString()}>{timeOfDay(settlement.at)}</time>
          {delivery !== undefined && (
            <span class={delivery.isWarning ? "d d-warn" : "d"}>{delivery.words}</span>
          )}
        </span>
        <span class="entry-open">
          <Icon name="right" small />
        </span>
      </summary>
      {isOpen && <Whole entry={entry} settlement={settlement} />}
    </details>
  );
}

/** The card as it was: its evidence, what was offered, and how far the answer came. */
function Whole({ entry, settlement }: { entry: CardEntry; settlement: Settlement }) {
  const { card } = entry;
  const idsShown = equallyNamed(card.options);
  const chosen = settlement.state === "decided" ? settlement.option.optionId : undefined;
  const more = settledMore(settlement);
  return (
    <div class="entry-more">
      <CardBody entry={entry} id={`was-${card.requestId}`} />
      <ul class="options" aria-label={optionWords.offered}>
        {card.options.map((option) => (
          <li key={option.optionId}>
            <OptionRow
              option={option}
              isFlat
              look={option.optionId === chosen ? "chosen" : undefined}
              state={option.optionId === chosen ? optionWords.chosen : undefined}
              showId={idsShown.has(option.optionId)}
            />
          </li>
        ))}
      </ul>
      {more !== undefined && <p class="outcome-sub">{more}</p>}
      <Steps entry={entry} />
    </div>
  );
}
