import type { ComponentChild } from "preact";
import { equallyNamed } from "../model/option-kind.ts";
import type { CardEntry, Choice } from "../model/state.ts";
import { lostLine, options as words, outcome } from "../text/index.ts";
import { Icon } from "./icons.tsx";
import { OptionName, OptionRow, OwnRow } from "./option-row.tsx";
import { useRoom } from "./room-context.ts";
import { deliverySteps, settledLook, settledMore, settledWords } from "./settled-words.tsx";
import { Who } from "./who.tsx";

/** Takes the place of the options once the Room has said how the card ended. */
export function Outcome({ entry }: { entry: CardEntry }) {
  const { state } = useRoom();
  const { settlement } = entry.card;
  if (settlement === undefined) return null;
  const { icon, tone } = settledLook(settlement);
  const more = settledMore(settlement);
  return (
    <>
      <LostPress entry={entry} />
      <div class={`outcome ${tone}`}>
        <Icon name={icon} />
        <div class="outcome-main">
          <p class="outcome-text">{settledWords(settlement, state.you?.participantId)}</p>
          {more !== undefined && <p class="outcome-sub">{more}</p>}
          <Steps entry={entry} />
        </div>
      </div>
    </>
  );
}

export function Steps({ entry }: { entry: CardEntry }) {
  const { state } = useRoom();
  const steps = deliverySteps(entry.card, state);
  if (steps.length === 0) return null;
  return (
    <ol class="steps" aria-label={outcome.steps}>
      {steps.map((step, index) => (
        <li
          key={index}
          class={step.look === "next" ? undefined : step.look}
          // Without its look it would read as done.
          aria-hidden={step.look === "next"}
        >
          <span>{step.words}</span>
        </li>
      ))}
    </ol>
  );
}

/** A click that came too late is answered on the very row that was pressed. */
function LostPress({ entry }: { entry: CardEntry }) {
  const { attempt, card } = entry;
  const { settlement } = card;
  if (attempt?.state !== "lost" || settlement === undefined) return null;
  const decided = settlement.state === "decided" ? settlement.option : undefined;
  const chosen = settlement.state === "dismissed" ? null : decided?.optionId;
  const who = "by" in settlement ? <Who who={settlement.by} /> : "";
  const option = decided === undefined ? "" : <OptionName option={decided} />;
  const earlier = attempt.pressedAt - settlement.at;
  const idsShown = equallyNamed(card.options);
  const drawn = (choice: Choice) => {
    if (choice === attempt.optionId) {
      const line = lostLine<ComponentChild>(settlement, earlier, who, option);
      return { isFlat: true, look: "lost", state: words.notUsed, line } as const;
    }
    if (choice !== chosen) return { isFlat: true };
    return { isFlat: true, look: "chosen", state: words.chosenBy<ComponentChild>(who) } as const;
  };
  return (
    <div class="choose">
      <ul class="options">
        {card.options.map((offered) => (
          <li key={offered.optionId}>
            <OptionRow
              option={offered}
              showId={idsShown.has(offered.optionId)}
              {...drawn(offered.optionId)}
            />
          </li>
        ))}
      </ul>
      {(attempt.optionId === null || chosen === null) && (
        <div class="own">
          <OwnRow {...drawn(null)} />
        </div>
      )}
    </div>
  );
}
