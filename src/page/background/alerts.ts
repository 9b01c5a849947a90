import { makeKeep } from "../session/memory.ts";
import { makeWishes, readChange } from "./wishes.ts";

/** How this browser is to tell of new cards: for the panel that asks and for what tells. */
export const wishes = makeWishes(makeKeep(() => localStorage));

addEventListener("storage", ({ key, newValue }) => wishes.dispatch(readChange(key, newValue)));
