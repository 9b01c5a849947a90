import { useState } from "preact/hooks";
import type { PermissionOption } from "../../protocol/index.ts";
import { evidenceLock, lockOf, type CardConditions, type Lock } from "../model/locks.ts";
import { canRefuse, equallyNamed, isDurable, readKind, refuses } from "../model/option-kind.ts";
import type { CardEntry } from "../model/state.ts";
import { attemptLine, options as words } from "../text/index.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { ChooseNote } from "./choose-note.tsx";
import { OptionRow, OwnRow } from "./option-row.tsx";
import { useRoom } from "./room-context.ts";
import { SecondPress } from "./second-press.tsx";
import type { Arming } from "./use-arming.ts";
import type { Presses } from "./use-presses.ts";
import { Who } from "./who.tsx";

interface Props {
  entry: CardEntry;
  arming: Arming;
  isUnread: boolean;
  isRead: boolean;
  presses: Presses;
  /** The durable option whose second press is open. */
  opened: string | undefined;
  open: (optionId: string | undefined) => void;
}

/** The agent's own options: as offered, in order, whole. */
export function Options(props: Props) {
  const { entry, arming, isUnread, opened, open, presses } = props;
  const { state, session } = useRoom();
  const { card, attempt } = entry;
  const [byKeyboard, setByKeyboard] = useState(false);
  const idsShown = equallyNamed(card.options);
  const noteId = `note-${card.requestId}`;
  const conditions: CardConditions = { live: state.live, armed: arming.armed, isUnread };
  const reason = evidenceLock(entry, isUnread);

  const choose = (option: PermissionOption) => {
    open(undefined);
    session.answer(card.requestId, option.optionId);
  };
  const isLive = (option: PermissionOption) => (at: number) => {
    const armed = refuses(readKind(option)) || arming.isArmed(at);
    const lock = lockOf(readKind(option), entry, { live: state.live, armed, isUnread });
    // Without a connection a press sends nothing, and says so in its place.
    return lock === undefined || lock === "not_connected";
  };
  const press = (option: PermissionOption) => (keyboard: boolean) => {
    if (!state.live) session.tellNotSent(card.requestId, option.optionId);
    else if (!isDurable(readKind(option))) choose(option);
    else {
      setByKeyboard(keyboard);
      open(option.optionId);
    }
  };

  return (
    <>
      <ChooseNote id={noteId} entry={entry} reason={reason} isRead={props.isRead} />
      <ul class="options" aria-labelledby={`label-${card.requestId}`}>
        {card.options.map((option, index) => {
          const lock = lockOf(readKind(option), entry, conditions);
          // It opens by moving what is below it: being inert for that must not fold it again.
          const isOpened = opened === option.optionId && (lock === undefined || lock === "arming");
          const isTried = attempt?.optionId === option.optionId;
          const handlers = isOpened
            ? { onClick: () => open(undefined) }
            : presses.on(`option ${option.optionId}`, isLive(option), press(option));
          return (
            <li key={option.optionId} class={isOpened ? "second" : undefined}>
              <OptionRow
                option={option}
                isFlat={lock !== undefined}
                look={isTried && attempt.state === "sending" ? "sending" : undefined}
                icon={isShut(lock) ? "lock" : undefined}
                state={stateWords(lock, isTried ? attempt.state : undefined)}
                line={isTried ? tryLine(entry) : undefined}
                digit={index < 9 && !isOpened ? index + 1 : undefined}
                showId={idsShown.has(option.optionId)}
                describedBy={isShut(lock) || lock === "arming" ? noteId : undefined}
                isOpened={isDurable(readKind(option)) ? isOpened : undefined}
                handlers={handlers}
              />
              {isOpened && (
                <SecondPress
                  option={option}
                  resident={card.resident}
                  takesFocus={byKeyboard}
                  isLive={isLive(option)}
                  presses={presses}
                  choose={() => choose(option)}
                  back={() => open(undefined)}
                />
              )}
            </li>
          );
        })}
      </ul>
      {!canRefuse(card.options) && <OwnRefusal entry={entry} presses={presses} />}
    </>
  );
}

/** Where no offered option refuses: below them, apart, and live at once as every refusal is. */
function OwnRefusal({ entry, presses }: { entry: CardEntry; presses: Presses }) {
  const { state, session } = useRoom();
  const { card, attempt } = entry;
  const noteId = `own-${card.requestId}`;
  const lock = lockOf("reject_once", entry, { live: state.live, armed: true, isUnread: false });
  const isTried = attempt?.optionId === null;
  const isLive = () => lock === undefined || lock === "not_connected";
  const press = () => {
    if (state.live) session.answer(card.requestId, null);
    else session.tellNotSent(card.requestId, null);
  };
  return (
    <div class="own">
      <p class="own-note" id={noteId}>
        {words.ownNote(<Who who={card.resident} />)}
      </p>
      <OwnRow
        isFlat={lock !== undefined}
        look={isTried && attempt.state === "sending" ? "sending" : undefined}
        state={stateWords(lock, isTried ? attempt.state : undefined)}
        line={isTried ? tryLine(entry) : undefined}
        describedBy={noteId}
        handlers={presses.on("own refusal", isLive, press)}
      />
    </div>
  );
}

function isShut(lock: Lock | undefined): boolean {
  return lock === "unread" || lock === "loading" || lock === "unavailable";
}

function stateWords(lock: Lock | undefined, tried: string | undefined): string | undefined {
  if (tried === "sending") return words.sending;
  if (tried === "unknown") return words.unknown;
  return lock === "not_connected" ? words.notConnected : undefined;
}

function tryLine({ attempt }: CardEntry) {
  if (attempt === undefined || attempt.state === "sending") return undefined;
  const said = attempt.state === "refused" ? <VisibleText text={attempt.message} /> : undefined;
  return attemptLine(attempt, said);
}
