import { registerPageWorker } from "./page-worker.ts";

export { watchCards } from "./watch-cards.ts";

// Once for each page, whatever Rooms it shows.
void registerPageWorker();
