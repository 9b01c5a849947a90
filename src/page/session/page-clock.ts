let began: number | undefined;

/** Epoch milliseconds by a clock that nobody sets while the page is open: one that is set would give a card more time, or none. */
export function pageNow(): number {
  began ??= Date.now() - performance.now();
  return Math.round(began + performance.now());
}
