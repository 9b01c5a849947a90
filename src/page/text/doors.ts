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

export const replaced: Stop = {
  title: "This Room is open in many other tabs",
  text: "A newer tab of yours took this one’s place. Nothing is sent from here.",
  next: "Go on in the other tab, or reload this page.",
};

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
  newRoom: "Open a new Room",
} as const;
