interface Placed {
  element: Element;
  left: number;
  top: number;
  height: number;
  onMove: () => void;
}

const placed = new Set<Placed>();
let scrollY = 0;
let observer: ResizeObserver | undefined;

/** Calls `onMove` whenever layout, not a person's scrolling, has put the element elsewhere. Returns how to stop. */
export function watchPlace(element: Element, onMove: () => void): () => void {
  observer ??= observe();
  const entry: Placed = { element, onMove, ...placeOf(element) };
  placed.add(entry);
  observer.observe(element);
  // What stands beside it may be taller, and keeps the body's height as it is.
  const column = element.closest("main");
  if (column !== null) observer.observe(column);
  return () => {
    placed.delete(entry);
    observer?.unobserve(element);
  };
}

/** Compares every watched place with where it was. For moments that may not wait for the next frame. */
export function checkPlaces(): void {
  for (const entry of placed) {
    const place = placeOf(entry.element);
    const isSame = (["left", "top", "height"] as const).every(
      (side) => Math.abs(place[side] - entry[side]) < 1,
    );
    if (isSame) continue;
    Object.assign(entry, place);
    entry.onMove();
  }
}

/** Height counts as well: as a box grows, what is in it moves. */
function placeOf(element: Element): { left: number; top: number; height: number } {
  const { left, top, height } = element.getBoundingClientRect();
  return { left: left + window.scrollX, top: top + window.scrollY, height };
}

function observe(): ResizeObserver {
  scrollY = window.scrollY;
  // A scroll event comes before the layout of its frame: a scroll position that changes without one was changed by layout.
  addEventListener("scroll", () => (scrollY = window.scrollY), { passive: true });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) moveAll();
  });
  // The click that brings a window to the front was not meant for what happens to be under it.
  addEventListener("focus", moveAll);
  const observer = new ResizeObserver(() => {
    if (window.scrollY === scrollY) checkPlaces();
    else moveAll();
    scrollY = window.scrollY;
  });
  observer.observe(document.body);
  return observer;
}

/** Everything has been put before somebody's eyes anew. */
export function moveAll(): void {
  for (const entry of placed) Object.assign(entry, placeOf(entry.element));
  for (const entry of placed) entry.onMove();
}
