import { useEffect, useRef } from "preact/hooks";
import type { PermissionOption } from "../../protocol/index.ts";
import { readKind } from "../model/option-kind.ts";
import { options as words } from "../text/index.ts";
import { Icon } from "./icons.tsx";
import { KIND_LOOKS } from "./kind-looks.ts";
import { OptionName } from "./option-row.tsx";
import { useArming } from "./use-arming.ts";
import type { Presses } from "./use-presses.ts";
import { Who } from "./who.tsx";

interface Props {
  option: PermissionOption;
  resident: { participantId: string; name: string };
  /** It was opened by a key: the next key press may be for it. */
  takesFocus: boolean;
  isLive: (at: number) => boolean;
  presses: Presses;
  choose: () => void;
  back: () => void;
}

/** The second press that a durable option takes. It opens below the first, and is inert for as long as a new card is. */
export function SecondPress(props: Props) {
  const { option, takesFocus } = props;
  const button = useRef<HTMLButtonElement>(null);
  const { armed, isArmed } = useArming(button);
  useEffect(() => {
    if (takesFocus) button.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const isLive = (at: number) => isArmed(at) && props.isLive(at);
  return (
    <div class="second-body">
      <p class="second-text">{words.once(<Who who={props.resident} />)}</p>
      <div class="second-acts">
        <button
          class="btn btn-durable"
          type="button"
          ref={button}
          aria-disabled={!armed}
          {...props.presses.on(`second ${option.optionId}`, isLive, props.choose)}
        >
          <Icon name={KIND_LOOKS[readKind(option)].icon} />
          <span>{words.choose(<OptionName option={option} />)}</span>
        </button>
        <button class="btn btn-quiet" type="button" onClick={props.back}>
          {words.back}
        </button>
      </div>
    </div>
  );
}
