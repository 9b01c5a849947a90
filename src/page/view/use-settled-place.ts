import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** The height that a card had while it waited: it keeps it once its options are gone. Focus that stood on them stays in the card. */
export function useSettledPlace(
  element: RefObject<HTMLElement | null>,
  isEnded: boolean,
): string | undefined {
  const height = useRef(0);
  const hadFocus = useRef(false);
  const wasEnded = useRef(false);
  // Looked at before the options go: by the time they are gone the focus has left with them.
  if (isEnded && !wasEnded.current) {
    hadFocus.current = Boolean(element.current?.querySelector(":focus-visible"));
  }
  wasEnded.current = isEnded;
  useLayoutEffect(() => {
    const card = element.current;
    if (card === null || isEnded) return undefined;
    const measure = () => (height.current = card.offsetHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(card);
    return () => observer.disconnect();
  }, [element, isEnded]);
  useLayoutEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isEnded && hadFocus.current && isLost) element.current?.focus({ preventScroll: true });
  }, [element, isEnded]);
  return isEnded && height.current > 0 ? `${height.current}px` : undefined;
}
