import { createContext } from "preact";
import { useCallback, useContext, useLayoutEffect, useState } from "preact/hooks";

/** How far a box of evidence has been read. `fits`: all of it is in view at once. */
export type BoxState = "fits" | "unread" | "read";

/** What a box tells its card. */
export type ReportBox = (box: string, state: BoxState) => void;

export const Reading = createContext<ReportBox>(() => {});

/** Keeps the card unread for as long as what calls it is drawn: something of the evidence is not. */
export function useUnread(box: string): void {
  const report = useContext(Reading);
  useLayoutEffect(() => {
    report(box, "unread");
    return () => report(box, "fits");
  }, [report, box]);
}

/** What one card's boxes have told. */
export interface ReadingState {
  /** Some box has not been read to its end. */
  isUnread: boolean;
  /** Some box had to be read to its end, and was. */
  isRead: boolean;
  report: ReportBox;
}

export function useReading(): ReadingState {
  const [boxes, setBoxes] = useState<ReadonlyMap<string, BoxState>>(new Map());
  const report = useCallback((box: string, state: BoxState) => {
    setBoxes((before) => (before.get(box) === state ? before : new Map(before).set(box, state)));
  }, []);
  const states = [...boxes.values()];
  return { isUnread: states.includes("unread"), isRead: states.includes("read"), report };
}
