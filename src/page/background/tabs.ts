/** Browsers keep locks from pages without https: then each tab stands for itself. */
const locks = (navigator as { locks?: LockManager }).locks;

/** Whether this tab may do what only one of this browser's tabs is to do. It is this one's until `end`. */
export function claim(name: string, end: Promise<void>): Promise<boolean> {
  if (locks === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    void locks.request(name, { ifAvailable: true }, async (lock) => {
      resolve(lock !== null);
      if (lock !== null) await end;
    });
  });
}

/** Lets other tabs know, under this name, while this one is in view. Returns how to stop. */
export function showInView(name: string): () => void {
  if (locks === undefined) return () => undefined;
  let leave: (() => void) | undefined;
  const look = () => {
    if (document.hidden) {
      leave?.();
      leave = undefined;
    } else if (leave === undefined) {
      const gone = new AbortController();
      const { promise, resolve } = Promise.withResolvers<void>();
      leave = () => {
        gone.abort();
        resolve();
      };
      const held = locks.request(name, { mode: "shared", signal: gone.signal }, () => promise);
      // Gone before it was held.
      held.catch(() => undefined);
    }
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    leave?.();
  };
}

/** Whether some tab of this browser is in view under this name. */
export async function isInView(name: string): Promise<boolean> {
  if (!document.hidden) return true;
  const held = (await locks?.query())?.held;
  return held?.some((lock) => lock.name === name) ?? false;
}
