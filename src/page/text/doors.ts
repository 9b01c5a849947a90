export const join = {
  title: "Join the Room",
  lead: "Agents in this Room ask for permission. You answer under your name.",
  name: "Your name",
  hint: "Shown beside every decision you make. Remembered on this device.",
  submit: "Join the Room",
  joining: "Joining …",
  facts: [
    "Your press is a real answer: the agent goes on, or stops, at once.",
    "Only what the agent offered can be chosen, in its own words.",
    "The Room is temporary. Once it has ended, nothing of it is left.",
  ],
} as const;

/** A page that leads into no Room: what is wrong, and what to do next. */
export interface Stop {
  title: string;
  text: string;
  next: string;
}

const ANOTHER_LINK = "Ask whoever sent it for a new link, or open a Room of your own.";

export const STOPS = {
  no_link: {
    title: "Which Room?",
    text: "A Room is opened with its whole link, and this address names none.",
    next: "Open the link that somebody in the Room gave you, everything after the # included.",
  },
  broken_link: {
    title: "This link is not whole",
    text: "What stands after the # is not an invite: part of it may have been lost on the way.",
    next: "Copy the whole link again and open it.",
  },
  resident_link: {
    title: "This invite is for an agent",
    text: "With it a program can ask for permission. A person needs the human link.",
    next: "Ask whoever sent it for the human link.",
  },
  bad_invite: {
    title: "This link no longer works",
    text: "The Room does not take this invite.",
    next: ANOTHER_LINK,
  },
  ended: {
    title: "This Room has ended",
    text: "Rooms are temporary: somebody closed it, or nobody was there for a long time. Nothing of it is left.",
    next: ANOTHER_LINK,
  },
  removed: {
    title: "You are no longer in this Room",
    text: "Somebody removed you, or you left.",
    next: "Ask somebody in the Room for a new link.",
  },
  left: {
    title: "You have left this Room",
    text: "Your key to it no longer works, and this browser has forgotten it.",
    next: "To come back, open the link of the Room and join again.",
  },
  replaced: {
    title: "This Room is open in many other tabs",
    text: "A newer tab of yours took this one’s place. Nothing is sent from here.",
    next: "Go on in the other tab, or reload this page.",
  },
  version: {
    title: "This page is out of date",
    text: "The Room speaks a newer language than this page.",
    next: "Reload the page.",
  },
} as const satisfies Record<string, Stop>;
export type StopReason = keyof typeof STOPS;

/** The Room has ended while this page showed it. */
export const endedHere: Stop = {
  title: "This Room has ended",
  text: "Somebody ended it, or its time was up. Its record is deleted; what you still see here is gone once you close this page.",
  next: "To go on, open a new Room, or ask for the link of another.",
};

export const JOIN_PROBLEMS = {
  name: "This name cannot be used: it needs 1 to 80 visible characters.",
  full: "The Room is full. Try again once somebody has left.",
  limited: "Too many tries from here. Wait a moment and press again.",
  unreachable: "The Room could not be reached. Check the connection and press again.",
} as const;
export type JoinProblem = keyof typeof JOIN_PROBLEMS;

export const stop = {
  home: "What Handraise is",
  newRoom: "Open a new Room",
  reload: "Reload",
} as const;
