import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { people as words } from "../text/people.ts";
import { Problem, useAsking } from "./asking.tsx";
import { useArming } from "./use-arming.ts";
import { usePresses } from "./use-presses.ts";

interface Props {
  /** What the first press is called, and the second one. */
  first: ComponentChildren;
  second: string;
  doing: string;
  /** What the second press will do. */
  says: ComponentChildren;
  act: () => Promise<void>;
  children?: ComponentChildren;
}

/** What cannot be taken back takes two presses. The second opens below the first, and is inert as long as a new card is. */
export function Confirm(props: Props) {
  const [isOpened, setOpened] = useState(false);
  return (
    <>
      <button
        class="btn"
        type="button"
        aria-expanded={isOpened}
        onClick={() => setOpened((opened) => !opened)}
      >
        {props.first}
      </button>
      {isOpened && <Second {...props} back={() => setOpened(false)} />}
    </>
  );
}

function Second({ second, doing, says, act, children, back }: Props & { back: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const { armed, isArmed } = useArming(button);
  const presses = usePresses();
  const asking = useAsking();
  const isLive = (at: number) => isArmed(at) && !asking.isAsking;
  return (
    <div class="confirm">
      <p>{says}</p>
      {children}
      <div class="confirm-acts">
        <button
          class="btn"
          type="button"
          ref={button}
          aria-disabled={!armed || asking.isAsking}
          {...presses.on("second", isLive, () => void asking.ask(act))}
        >
          {asking.isAsking ? doing : second}
        </button>
        <button class="btn btn-quiet" type="button" onClick={back}>
          {words.back}
        </button>
      </div>
      <Problem asking={asking} />
    </div>
  );
}
