import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

const LEAVE_MS = 1_000;
const LOOK_MS = 200;

/** Calls `onLeft` once pointer and focus have been out of the element, and the pointer off everything below it, for LEAVE_MS. */
export function useLeaving(
  element: RefObject<HTMLElement | null>,
  isActive: boolean,
  onLeft: () => void,
): void {
  useEffect(() => {
    if (!isActive) return undefined;
    let outSince: number | undefined;
    // Hover and focus are looked at, not listened to: they also change as things move, appear and go.
    const timer = setInterval(() => {
      const now = performance.now();
      if (element.current === null || isInUse(element.current)) outSince = undefined;
      else outSince ??= now;
      if (outSince !== undefined && now - outSince >= LEAVE_MS) onLeft();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [element, isActive, onLeft]);
}

function isInUse(card: HTMLElement): boolean {
  // A pointer's press leaves focus behind without anybody being there.
  const focused = card.querySelector(":focus-visible") ?? (card.matches(":focus-visible") && card);
  return Boolean(focused) || isUnderPointer(card) || isPointerBelow(card);
}

function isUnderPointer(card: Element): boolean {
  // On a touch screen the last thing touched stays "hovered".
  return matchMedia("(hover: hover)").matches && card.matches(":hover");
}

/** The card's going would move what a person is pointing at. */
function isPointerBelow(card: Element): boolean {
  const pointed = [...document.querySelectorAll("main :hover")].at(-1);
  return (
    pointed !== undefined &&
    isUnderPointer(pointed) &&
    Boolean(card.compareDocumentPosition(pointed) & Node.DOCUMENT_POSITION_FOLLOWING)
  );
}
