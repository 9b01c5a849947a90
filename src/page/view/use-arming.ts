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
  /** For deciding: looks at the place once more. `at`: when the press was made, by `performance`. */
  isArmed(at: number): boolean;
  /** Starts anew: something moved that the place does not show. */
  disarm(): void;
}

/** Inert for ARM_MS after the element is seen to appear or move: a frame may be long in coming, and what was pressed until then waits. */
export function useArming(place: RefObject<Element | null>): Arming {
  const [armed, setArmed] = useState(false);
  const since = useRef(Infinity);
  const stopWaiting = useRef(() => {});
  const disarm = useCallback(() => {
    since.current = Infinity;
    setArmed(false);
    stopWaiting.current();
    stopWaiting.current = afterPaint(() => {
      since.current = performance.now();
      const timer = setTimeout(() => setArmed(true), DRAWN_AFTER_MS);
      stopWaiting.current = () => clearTimeout(timer);
    });
  }, []);
  useLayoutEffect(() => {
    disarm();
    const stop = place.current === null ? undefined : watchPlace(place.current, disarm);
    return () => {
      stop?.();
      stopWaiting.current();
    };
  }, [disarm, place]);
  const isArmed = useCallback((at: number) => {
    checkPlaces();
    return at - since.current >= ARM_MS;
  }, []);
  return { armed, isArmed, disarm };
}

/** Calls once what is there now can be seen. Returns how to stop. */
function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
