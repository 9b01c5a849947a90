// Every word of the page's own, in English. What agents and people wrote never passes through here as text: see said.ts.
// Words of what is loaded later stand in files of their own, imported from there: alerts.ts, diff.ts, fetching.ts, home.ts, invites.ts,
// keys.ts, people.ts, stops.ts, talk.ts, unreadable.ts.

export * from "./common.ts";
export * from "./doors.ts";
export * from "./evidence.ts";
export * from "./kinds.ts";
export * from "./options.ts";
export * from "./outcome.ts";
export * from "./room.ts";
