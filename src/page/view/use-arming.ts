import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import { checkPlaces, watchPlace } from "./placement.ts";

/** What has just come under a pointer must not be pressed by a click that was meant for what stood there before. */
export const ARM_MS = 500;
/** Nothing may look live before it is: the clocks of timers and of `performance` differ a little. */
const DRAWN_AFTER_MS = ARM_MS + 10;

export interface Arming {
  /** For drawing. */
  armed: boolean;
  /** For deciding: looks at the place once more. */
  isArmed(): boolean;
  /** Starts anew: something moved that the place does not show. */
  disarm(): void;
}

/** Inert for ARM_MS after the element appears or moves. */
export function useArming(place: RefObject<Element | null>): Arming {
  const [armed, setArmed] = useState(false);
  const since = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const disarm = useCallback(() => {
    since.current = performance.now();
    setArmed(false);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setArmed(true), DRAWN_AFTER_MS);
  }, []);
  useLayoutEffect(() => {
    disarm();
    const stop = place.current === null ? undefined : watchPlace(place.current, disarm);
    return () => {
      stop?.();
      clearTimeout(timer.current);
    };
  }, [disarm, place]);
  const isArmed = useCallback(() => {
    checkPlaces();
    return performance.now() - since.current >= ARM_MS;
  }, []);
  return { armed, isArmed, disarm };
}
