import { useEffect, useState } from "preact/hooks";
import { pageNow } from "../session/page-clock.ts";

const lookers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The page's clock, looked at once a second by all who show a time. */
export function useNow(): number {
  const [now, setNow] = useState(pageNow);
  useEffect(() => {
    const look = () => setNow(pageNow());
    lookers.add(look);
    timer ??= setInterval(() => {
      for (const each of lookers) each();
    }, 1000);
    return () => {
      lookers.delete(look);
      if (lookers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return now;
}

/** Whether a moment by this machine's clock has come; looks again exactly then. */
export function useIsPast(at: number): boolean {
  const [, lookAgain] = useState(0);
  useEffect(() => {
    const wait = at - pageNow();
    if (wait <= 0) return undefined;
    const timer = setTimeout(() => lookAgain((looks) => looks + 1), wait + 1);
    return () => clearTimeout(timer);
  }, [at]);
  return pageNow() >= at;
}
