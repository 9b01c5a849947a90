import { replaced, type Stop } from "./doors.ts";

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
  replaced,
  version: {
    title: "This page is out of date",
    text: "The Room speaks a newer language than this page.",
    next: "Reload the page.",
  },
} as const satisfies Record<string, Stop>;
export type StopReason = keyof typeof STOPS;

export const stopActs = {
  home: "What Handraise is",
  reload: "Reload",
} as const;
