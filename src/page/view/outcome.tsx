import type { ComponentChild } from "preact";
import { equallyNamed } from "../model/option-kind.ts";
import type { CardEntry } from "../model/state.ts";
import { lostLine, options as words, outcome } from "../text/index.ts";
import { Icon } from "./icons.tsx";
import { OptionName, OptionRow } from "./option-row.tsx";
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
        <li key={index} class={step.look === "next" ? undefined : step.look}>
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
  const chosen = settlement.state === "decided" ? settlement : undefined;
  const who = "by" in settlement ? <Who who={settlement.by} /> : "";
  const option = chosen === undefined ? "" : <OptionName option={chosen.option} />;
  const earlier = attempt.pressedAt - settlement.at;
  const idsShown = equallyNamed(card.options);
  return (
    <div class="choose">
      <ul class="options">
        {card.options.map((offered) => {
          const isLost = offered.optionId === attempt.optionId;
          const isChosen = offered.optionId === chosen?.option.optionId;
          return (
            <li key={offered.optionId}>
              <OptionRow
                option={offered}
                isFlat
                look={isLost ? "lost" : isChosen ? "chosen" : undefined}
                state={
                  isChosen
                    ? words.chosenBy<ComponentChild>(who)
                    : isLost
                      ? words.notUsed
                      : undefined
                }
                line={
                  isLost ? lostLine<ComponentChild>(settlement, earlier, who, option) : undefined
                }
                showId={idsShown.has(offered.optionId)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
