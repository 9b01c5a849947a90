const measures = new Map<Element, () => void>();
let observer: ResizeObserver | undefined;

/**
 * Calls `measure` before the element is first painted and whenever its size changes. One observer for all: what it calls only reads,
 * so that the page is laid out once however many there are.
 */
export function observeSize(element: Element, measure: () => void): () => void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) measures.get(target)?.();
  });
  measures.set(element, measure);
  observer.observe(element);
  return () => {
    measures.delete(element);
    observer?.unobserve(element);
  };
}
