import { createContext } from "preact";
import { useCallback, useState } from "preact/hooks";

/** What a box of evidence tells its card: whether part of it has not been seen. */
export type ReportUnread = (box: string, isUnread: boolean) => void;

export const Reading = createContext<ReportUnread>(() => {});

/** Which boxes of one card have not been read to their end. */
export interface ReadingState {
  isUnread: boolean;
  /** Some box had to be scrolled. */
  hadUnread: boolean;
  report: ReportUnread;
}

export function useReading(): ReadingState {
  const [unread, setUnread] = useState<ReadonlyMap<string, boolean>>(new Map());
  const report = useCallback((box: string, isUnread: boolean) => {
    setUnread((before) => {
      if (before.get(box) === isUnread || (!isUnread && !before.has(box))) return before;
      return new Map(before).set(box, isUnread);
    });
  }, []);
  return { isUnread: [...unread.values()].includes(true), hadUnread: unread.size > 0, report };
}
