import type { Shown } from "./shown.ts";
import { BY_REFERENCE } from "./states/by-reference.ts";
import { ENDINGS, TIMELINE } from "./states/endings.ts";
import { EVIDENCE } from "./states/evidence.ts";
import { OPTIONS } from "./states/options.ts";
import { DOORS, ROOMS } from "./states/rooms.ts";
import { PRESSES, WAITING } from "./states/waiting.ts";

/** Every state of a card, and of the page around it. */
export const CATALOGUE: readonly Shown[] = [
  ...WAITING,
  ...PRESSES,
  ...ENDINGS,
  ...TIMELINE,
  ...OPTIONS,
  ...EVIDENCE,
  ...BY_REFERENCE,
  ...ROOMS,
  ...DOORS,
];
