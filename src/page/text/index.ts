// Every word of the page's own, in English. What agents and people wrote never passes through here as text: see said.ts.
// Words of what is loaded later stand in files of their own, imported from there: keys.ts, people.ts, talk.ts.

export * from "./common.ts";
export * from "./doors.ts";
export * from "./evidence.ts";
export * from "./home.ts";
export * from "./kinds.ts";
export * from "./options.ts";
export * from "./outcome.ts";
export * from "./room.ts";
