import type { Said } from "./said.ts";

export const room = {
  connected: "Connected",
  connecting: "Connecting",
  notConnected: "Not connected",
  ended: "Ended",
  reconnecting: "Not connected. Trying again. Nothing you press is sent.",
  retryIn: (seconds: number) =>
    `Not connected. Trying again in ${seconds} s. Nothing you press is sent.`,
  retryNow: "Try now",
  skip: "Go to what is waiting",
  peopleHere: "People here: ",
  people: (count: number) => (count === 1 ? "1 person" : `${count} people`),
  waiting: (count: number) => `${count} waiting`,
  residents: "Residents, and who waits for what",
  waits: "Waits",
  forPerson: " for a person",
  waitMany: (count: number) => `${count} wait`,
  waitsMore: (count: number) => ` and ${count} more`,
  idle: "Online, waits for nothing",
  offline: "Offline",
  wasOnline: "Was online",
  waitingTitle: "Waiting for a person",
  cards: (count: number) => (count === 1 ? "1 card" : `${count} cards`),
  settledTitle: "Settled",
  newest: (count: number) => `newest ${count}`,
  moreCards: (next: number, hidden: number): string =>
    `Show ${next} more of the ${hidden} that wait below these`,
  nothingWaits: "Nobody is asking",
  nothingWaitsMore:
    "When an agent in this Room needs permission, its request appears here, and you press one of the options that it offered.",
  /** Where nothing is shown, and the Room has not said that nothing waits. */
  nothingKnown: "Connecting to the Room …",
  nothingKnownNow: "Not known now who is asking",
  nothingMore: "Nobody can ask here any more",
  wasWaiting: "What was waiting here",
  keys: "Keys",
  peopleTitle: "People",
  alerts: "Notify me",
  invite: "Invite",
  talkTitle: "Talk",
  talkNote: "Plain messages. Nothing typed here answers a card.",
  jump: "In this Room",
  title: (waiting: number, name: string) =>
    waiting > 0 ? `(${waiting}) ${name} · Handraise` : `${name} · Handraise`,
} as const;

export const announcements = {
  label: "What has just happened",
  asks: <T>(resident: T, what: T): Said<T> => [resident, " asks: ", what],
  settled: <T>(resident: T, how: readonly (T | string)[]): Said<T> => [resident, ": ", ...how],
} as const;
