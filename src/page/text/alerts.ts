import { toolKindWords } from "./kinds.ts";

export const alerts = {
  title: "Notify me",
  always: "While requests wait, the title of this tab says how many. For more, choose:",
  notification: "System notification",
  notificationLead:
    "While no tab with this Room is in view: one for each request. It names the agent and the kind of request, never what it wants to run or change.",
  sound: "Sound",
  soundLead: "A short tone when a request comes.",
  on: "On",
  off: "Off",
  turnOn: "Turn on",
  turnOff: "Turn off",
  asking: "Your browser asks you …",
  notHere:
    "This page cannot notify: the browser has no notifications, or keeps them from pages without https.",
  blocked:
    "Your browser blocks notifications of this site. Allow them in its settings for this site first.",
  dismissed: "Your browser has not allowed it. Press again to be asked again.",
  noSound: "This browser plays no sound here.",
  silent: "Your browser has not let this tab play sound yet. Press anywhere on the page.",
  remembered: "Remembered in this browser, for every Room.",
} as const;

/** A system notification: who asks, and for what kind of thing. The agent's own word for a kind is not repeated. */
export function askNotice(name: string, kind: string | undefined): { title: string; body: string } {
  const { words, other } = toolKindWords(kind);
  return {
    title: `${name} asks`,
    body: other === undefined ? words : toolKindWords(undefined).words,
  };
}
