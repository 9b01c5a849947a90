import { useState } from "preact/hooks";
import { PressGuard } from "./press-guard.ts";

export interface PressHandlers {
  onPointerDown(event: PointerEvent): void;
  onKeyDown(event: KeyboardEvent): void;
  onClick(event: MouseEvent): void;
}

/** The targets of one card, and how they are pressed. */
export interface Presses {
  /** Handlers of one target. `isLive` is asked of when a press began and of when it ended, by `performance`. */
  on(
    target: string,
    isLive: (at: number) => boolean,
    press: (byKeyboard: boolean) => void,
  ): PressHandlers;
  /** A press that has begun is given up: another key is pressed instead. */
  forget(): void;
}

/** A touch's click comes this much later than its end, at most. */
const CLICK_COMES_MS = 500;

/** Lets only full, fresh presses through; one guard for all targets of a card. */
export function usePresses(): Presses {
  const [presses] = useState(makePresses);
  return presses;
}

function makePresses(): Presses {
  const guard = new PressGuard();
  let begun = 0;
  const begin = (target: string, isLive: boolean): void => {
    begun += 1;
    guard.begin(target, isLive);
  };
  // A press that ended elsewhere is over: what assistive technology presses next is a press of its own.
  const forgetOnceOver = (): void => {
    const press = begun;
    const end = (): void => {
      removeEventListener("pointerup", end, true);
      removeEventListener("pointercancel", end, true);
      setTimeout(() => {
        if (begun === press) guard.forget();
      }, CLICK_COMES_MS);
    };
    addEventListener("pointerup", end, true);
    addEventListener("pointercancel", end, true);
  };
  return {
    forget: () => guard.forget(),
    on: (target, isLive, press) => ({
      onPointerDown: (event) => {
        if (event.button === 0) begin(target, isLive(event.timeStamp));
        else guard.spoil();
        forgetOnceOver();
      },
      onKeyDown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        if (event.repeat) {
          event.preventDefault();
          guard.spoil();
        } else begin(target, isLive(event.timeStamp));
      },
      onClick: (event) => {
        if (guard.take(target, event.detail) && isLive(event.timeStamp)) press(event.detail === 0);
      },
    }),
  };
}
