import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** The height that a card had while it waited: it keeps it once its options are gone. Focus that stood on them stays in the card. */
export function useSettledPlace(
  element: RefObject<HTMLElement | null>,
  isEnded: boolean,
): string | undefined {
  const height = useRef(0);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const card = element.current;
    if (card === null || isEnded) return undefined;
    const measure = () => (height.current = card.offsetHeight);
    const look = () => (hadFocus.current = card.querySelector(":focus-visible") !== null);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(card);
    card.addEventListener("focusin", look);
    card.addEventListener("focusout", look);
    return () => {
      observer.disconnect();
      card.removeEventListener("focusin", look);
      card.removeEventListener("focusout", look);
    };
  }, [element, isEnded]);
  useLayoutEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isEnded && hadFocus.current && isLost) element.current?.focus({ preventScroll: true });
  }, [element, isEnded]);
  return isEnded && height.current > 0 ? `${height.current}px` : undefined;
}
