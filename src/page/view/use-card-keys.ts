import type { RefObject } from "preact";
import { useCallback } from "preact/hooks";
import { readCardKey } from "./card-keys.ts";
import type { Presses } from "./use-presses.ts";

/** Keys of the focused card. A digit presses that option's own button, so every safeguard holds for it as well. */
export function useCardKeys(
  element: RefObject<HTMLElement | null>,
  presses: Presses,
  showKeys: () => void,
): (event: KeyboardEvent) => void {
  return useCallback(
    (event: KeyboardEvent) => {
      const card = element.current;
      const target = event.target;
      if (card === null || !(target instanceof Element)) return;
      const mayArrow = target === card || target.matches(".opt");
      const key = readCardKey(event, mayArrow);
      if (key === undefined) return;
      event.preventDefault();
      switch (key.act) {
        case "next":
          return focusCard(card, 1);
        case "previous":
          return focusCard(card, -1);
        case "option":
          presses.forget();
          return card.querySelectorAll<HTMLElement>("button[data-option]")[key.index]?.click();
        case "leave":
          return target instanceof HTMLElement ? target.blur() : undefined;
        case "keys":
          return showKeys();
      }
    },
    [element, presses, showKeys],
  );
}

function focusCard(card: Element, step: 1 | -1): void {
  const cards = [...document.querySelectorAll<HTMLElement>("[data-card]")];
  const next = cards[cards.indexOf(card as HTMLElement) + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
