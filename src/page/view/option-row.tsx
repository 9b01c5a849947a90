import type { ComponentChildren } from "preact";
import type { PermissionOption } from "../../protocol/index.ts";
import { readKind } from "../model/option-kind.ts";
import { KIND_WORDS, options as words } from "../text.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { KIND_LOOKS } from "./kind-looks.ts";
import type { PressHandlers } from "./use-presses.ts";

interface Props {
  option: PermissionOption;
  /** Flat, and not for pressing. */
  isFlat: boolean;
  look?: "sending" | "lost" | "chosen" | undefined;
  icon?: IconName | undefined;
  /** Added to the kind, never in its place. */
  state?: ComponentChildren;
  /** What became of the last press on this row. */
  line?: ComponentChildren;
  digit?: number | undefined;
  /** Another option looks the same by name. */
  showId: boolean;
  describedBy?: string | undefined;
  isOpened?: boolean | undefined;
  handlers?: PressHandlers;
}

/** One option as the agent offered it: its own text whole; beside it, from its kind only, what it does. */
export function OptionRow(props: Props) {
  const { option, isFlat, look, digit, state } = props;
  const kind = readKind(option);
  const { row, icon } = KIND_LOOKS[kind];
  const shownIcon = look === "sending" ? "spin" : (props.icon ?? icon);
  return (
    <button
      class={["opt", row, look !== undefined && `is-${look}`].filter(Boolean).join(" ")}
      type="button"
      aria-disabled={isFlat}
      aria-describedby={props.describedBy}
      aria-expanded={props.isOpened}
      data-option={option.optionId}
      {...props.handlers}
    >
      <Icon name={shownIcon} spins={look === "sending"} />
      <span class="opt-text">
        <span class="opt-name">
          <OptionName option={option} />
          {props.showId && <OptionId option={option} />}
        </span>{" "}
        <span class="opt-kind">
          {KIND_WORDS[kind]}
          {state !== undefined && <> · {state}</>}
        </span>
      </span>
      {digit !== undefined && !isFlat && (
        <kbd class="opt-key" aria-hidden="true">
          {digit}
        </kbd>
      )}
      {props.line !== undefined && <span class="opt-line">{props.line}</span>}
    </button>
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
