import type { ComponentChildren } from "preact";
import type { PermissionOption } from "../../protocol/index.ts";
import { readKind, type KindWord } from "../model/option-kind.ts";
import { KIND_WORDS, options as words } from "../text/index.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { KIND_LOOKS } from "./kind-looks.ts";
import type { PressHandlers } from "./use-presses.ts";

interface RowProps {
  /** Flat, and not for pressing. */
  isFlat: boolean;
  look?: "sending" | "lost" | "chosen" | undefined;
  icon?: IconName | undefined;
  /** Added to the kind, never in its place. */
  state?: ComponentChildren;
  /** What became of the last press on this row. */
  line?: ComponentChildren;
  digit?: number | undefined;
  describedBy?: string | undefined;
  isOpened?: boolean | undefined;
  /** None: it is no button, but what was offered. */
  handlers?: Partial<PressHandlers> | undefined;
}

interface OptionProps extends RowProps {
  option: PermissionOption;
  /** Another option looks the same by name. */
  showId: boolean;
}

/** One option as the agent offered it: its own text whole; beside it, from its kind only, what it does. */
export function OptionRow(props: OptionProps) {
  const { option, showId } = props;
  const kind = readKind(option);
  const name = (
    <>
      <OptionName option={option} />
      {showId && <OptionId option={option} />}
    </>
  );
  const key = { "data-option": option.optionId };
  return <Row {...props} kind={kind} name={name} kindWords={KIND_WORDS[kind]} mark={key} />;
}

/** The page's own way to say no, in its own words: no option, and never among them. */
export function OwnRow(props: RowProps) {
  return (
    <Row
      {...props}
      kind="reject_once"
      name={words.own}
      kindWords={words.ownKind}
      mark={{ "data-dismiss": "" }}
    />
  );
}

interface DrawnRow extends RowProps {
  kind: KindWord;
  name: ComponentChildren;
  kindWords: string;
  mark: Record<`data-${string}`, string>;
}

function Row(props: DrawnRow) {
  const { kind, isFlat, look, handlers } = props;
  const classes = ["opt", KIND_LOOKS[kind].row, isFlat && "is-flat", look && `is-${look}`];
  const className = classes.filter(Boolean).join(" ");
  const content = <RowContent {...props} />;
  if (handlers === undefined) return <div class={className}>{content}</div>;
  return (
    <button
      class={className}
      type="button"
      aria-disabled={isFlat}
      aria-describedby={props.describedBy}
      aria-expanded={props.isOpened}
      {...props.mark}
      {...handlers}
    >
      {content}
    </button>
  );
}

function RowContent({ kind, name, kindWords, isFlat, look, icon, state, digit, line }: DrawnRow) {
  const shownIcon = look === "sending" ? "spin" : (icon ?? KIND_LOOKS[kind].icon);
  return (
    <>
      <Icon name={shownIcon} spins={look === "sending"} />
      <span class="opt-text">
        <span class="opt-name">{name}</span>{" "}
        <span class="opt-kind">
          {kindWords}
          {state !== undefined && <> · {state}</>}
        </span>
      </span>
      {digit !== undefined && !isFlat && (
        <kbd class="opt-key" aria-hidden="true">
          {digit}
        </kbd>
      )}
      {line !== undefined && <span class="opt-line">{line}</span>}
    </>
  );
}

export function OptionName({ option }: { option: PermissionOption }) {
  const isBlank = option.name.trim() === "";
  return (
    <>
      {option.name !== "" && <VisibleText text={option.name} />}
      {isBlank && <span class="unnamed">{words.unnamed}</span>}
    </>
  );
}

function OptionId({ option }: { option: PermissionOption }) {
  return (
    <span class="opt-id">
      {" "}
      {words.id}
      <VisibleText text={option.optionId} dir="ltr" />
    </span>
  );
}
