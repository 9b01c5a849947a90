import { useRef } from "preact/hooks";
import { PressGuard } from "./press-guard.ts";

export interface PressHandlers {
  onPointerDown(event: PointerEvent): void;
  onKeyDown(event: KeyboardEvent): void;
  onClick(event: MouseEvent): void;
}

/** Ways to press one target of a card. `isLive` is asked when the press begins and again when it ends. */
export type Pressable = (
  target: string,
  isLive: () => boolean,
  press: (byKeyboard: boolean) => void,
) => PressHandlers;

/** Handlers that let only full, fresh presses through; one guard for all targets of a card. */
export function usePresses(): Pressable {
  const guard = useRef(new PressGuard());
  return (target, isLive, press) => ({
    onPointerDown: (event) => {
      if (event.button === 0) guard.current.begin(target, isLive());
      else guard.current.spoil();
    },
    onKeyDown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      if (event.repeat) {
        event.preventDefault();
        guard.current.spoil();
      } else guard.current.begin(target, isLive());
    },
    onClick: (event) => {
      if (guard.current.take(target, event.detail) && isLive()) press(event.detail === 0);
    },
  });
}
