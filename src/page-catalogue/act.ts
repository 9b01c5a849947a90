import type { Act } from "./shown.ts";

/** Does what is to be done on a drawn state. */
export async function actOn(page: Element, acts: readonly Act[]): Promise<void> {
  for (const act of acts) {
    if ("unfold" in act) (await found(page, act.unfold)).setAttribute("open", "");
    else pressWithPointer(await found(page, `${act.press}:not([aria-disabled="true"])`));
  }
}

/** The page comes before somebody's eyes again and again: no card on it is ever armed. */
export function keepRestless(): () => void {
  const timer = setInterval(() => document.dispatchEvent(new Event("visibilitychange")), 200);
  return () => clearInterval(timer);
}

function pressWithPointer(target: Element): void {
  target.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, button: 0 }));
  target.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
}

function found(page: Element, selector: string): Promise<Element> {
  return new Promise((resolve) => {
    const look = () => {
      const element = page.querySelector(selector);
      if (element === null) return;
      observer.disconnect();
      resolve(element);
    };
    const observer = new MutationObserver(look);
    observer.observe(page, { subtree: true, childList: true, attributes: true });
    look();
  });
}
