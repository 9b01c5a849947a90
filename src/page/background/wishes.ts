import { makeStore, type Store } from "../session/store.ts";
import type { Keep } from "../session/memory.ts";

/** How somebody wants to hear of new cards. Off until chosen. */
export interface Wishes {
  notification: boolean;
  sound: boolean;
}
export type Wish = keyof Wishes;
export type WishStore = Store<Wishes, Partial<Wishes>>;

const PREFIX = "handraise.alert.";
const WISHES: readonly Wish[] = ["notification", "sound"];

/** Wishes, kept in this browser. */
export function makeWishes(keep: Keep): WishStore {
  const kept = (wish: Wish) => keep.get(PREFIX + wish) === "on";
  const first = { notification: kept("notification"), sound: kept("sound") };
  const store = makeStore<Wishes, Partial<Wishes>>(first, (held, change) =>
    WISHES.every((wish) => (change[wish] ?? held[wish]) === held[wish])
      ? held
      : { ...held, ...change },
  );
  store.subscribe(() => {
    for (const wish of WISHES) keep.set(PREFIX + wish, store.state[wish] ? "on" : "off");
  });
  return store;
}

/** What another tab has chosen, from how it was kept. */
export function readChange(key: string | null, value: string | null): Partial<Wishes> {
  const wish = WISHES.find((wish) => key === PREFIX + wish);
  return wish === undefined ? {} : { [wish]: value === "on" };
}
