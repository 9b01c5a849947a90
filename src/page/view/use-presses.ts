import { useState } from "preact/hooks";
import { PressGuard } from "./press-guard.ts";

export interface PressHandlers {
  onPointerDown(event: PointerEvent): void;
  onKeyDown(event: KeyboardEvent): void;
  onClick(event: MouseEvent): void;
}

/** The targets of one card, and how they are pressed. */
export interface Presses {
  /** Handlers of one target. `isLive` is asked when a press begins and again when it ends. */
  on(target: string, isLive: () => boolean, press: (byKeyboard: boolean) => void): PressHandlers;
  /** A press that has begun is given up: another key is pressed instead. */
  forget(): void;
}

/** Lets only full, fresh presses through; one guard for all targets of a card. */
export function usePresses(): Presses {
  const [presses] = useState(makePresses);
  return presses;
}

function makePresses(): Presses {
  const guard = new PressGuard();
  return {
    forget: () => guard.forget(),
    on: (target, isLive, press) => ({
      onPointerDown: (event) => {
        if (event.button === 0) guard.begin(target, isLive());
        else guard.spoil();
      },
      onKeyDown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        if (event.repeat) {
          event.preventDefault();
          guard.spoil();
        } else guard.begin(target, isLive());
      },
      onClick: (event) => {
        if (guard.take(target, event.detail) && isLive()) press(event.detail === 0);
      },
    }),
  };
}
