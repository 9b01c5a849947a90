import { PERMISSION_METHOD } from "./from-agent.ts";

/** What to look for in lines that a lenient reader could take for something else than they are here. */
export interface Side {
  word: string;
  suspect: string;
}

export const AGENT_SIDE: Side = {
  word: PERMISSION_METHOD,
  suspect: "A line of the agent that names a permission request, but is none, was dropped.",
};
export const CLIENT_SIDE: Side = {
  // Every answer to a permission request holds it.
  word: "outcome",
  suspect: "A line of the client that could be read as an answer, but is none, was dropped.",
};
