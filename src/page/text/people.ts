import type { Said } from "./said.ts";

export const people = {
  title: "People and agents",
  list: "Everybody who has joined",
  person: "person",
  agent: "agent",
  remove: "Remove",
  removeWho: <T>(who: T): Said<T> => ["Remove ", who],
  removePerson: <T>(who: T): Said<T> => [
    who,
    " is sent out at once, and the key in that browser no longer works. Whoever still has a link can join again.",
  ],
  removeAgent: <T>(who: T, waiting: number): Said<T> => [
    who,
    " is sent out at once, and its key no longer works. ",
    waiting === 0
      ? "It waits for no answer now."
      : waiting === 1
        ? "Its 1 waiting request is withdrawn."
        : `Its ${waiting} waiting requests are withdrawn.`,
  ],
  removeIt: "Remove from the Room",
  removing: "Removing …",
  ending: "Going away",
  leave: "Leave this Room",
  leaveSays:
    "Your key to this Room ends on every device and in every tab. The Room and what waits in it stay.",
  leaveIt: "Leave",
  leaving: "Leaving …",
  end: "End this Room for everybody",
  endSays: (waiting: number) =>
    `Everybody is sent away and the record is deleted, for good. ${
      waiting === 0
        ? "Nothing waits for an answer now."
        : `What waits is refused: ${waiting === 1 ? "1 request is" : `${waiting} requests are`} withdrawn, and nothing of it is allowed.`
    }`,
  keep: "To keep the record, download it first:",
  endIt: "End the Room now",
  endingNow: "Ending …",
  back: "Back",
} as const;

export const history = {
  file: (format: string) => format.toUpperCase(),
  download: (format: string) => `Download the record as ${format.toUpperCase()}`,
  failed: "The record could not be loaded. Press again.",
} as const;

/** Why something that a person asked the Room for did not happen. */
export const problems = {
  unknown: "No answer came: whether it happened is not known. Look before you press again.",
  limited: "Too much at once. Wait a moment and press again.",
  refused: "The Room says: ",
} as const;
