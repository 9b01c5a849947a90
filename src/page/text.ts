import type { Settlement, WithdrawReason } from "../protocol/index.ts";
import type { KindWord } from "./model/option-kind.ts";
import type { Attempt } from "./model/state.ts";

// Every word of the page's own, in English. What agents and people wrote never passes through here as text: it comes in as
// `T`, whatever it is drawn as, and goes out in its place.

type Said<T> = readonly (T | string)[];

export const common = {
  product: "Handraise",
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Could not copy: select the text",
  offline: "offline",
  online: "online",
  wasOnline: "was online",
  you: <T>(name: T): Said<T> => [name, " (you)"],
  quoted: <T>(text: T): Said<T> => ["“", text, "”"],
} as const;

const TOOL_KINDS: Readonly<Record<string, string>> = {
  execute: "Run a command",
  edit: "Edit a file",
  delete: "Delete",
  move: "Move",
  read: "Read",
  search: "Search",
  fetch: "Fetch",
  think: "Think",
  switch_mode: "Switch mode",
};

/** The tool kind in our words; one that ACP does not name follows `other` as untrusted text. */
export function toolKindWords(kind: string | undefined): { words: string; other?: string } {
  if (kind === undefined) return { words: "Something, of no kind" };
  const words = Object.hasOwn(TOOL_KINDS, kind) ? TOOL_KINDS[kind] : undefined;
  return words === undefined ? { words: "Other: ", other: kind } : { words };
}

export const KIND_WORDS: Readonly<Record<KindWord, string>> = {
  allow_once: "allows once",
  allow_always: "allows and may be remembered by the agent",
  reject_once: "refuses once",
  reject_always: "refuses and may be remembered",
  unknown: "kind not known",
};

export const card = {
  asked: "asked ",
  timeLeft: "Time left: ",
  left: (time: string) => `${time} left`,
  timeUp: "time is up",
  title: "Agent’s title:",
  path: "Path",
  paths: (count: number) => `${count} paths`,
  turn: "Turn",
  line: (line: number) => `, line ${line}`,
  moreFields: (count: number) => (count === 1 ? "1 more field" : `${count} more fields`),
  saysNothing:
    "The agent did not say what it will do: no command, no path and no change came with this request.",
  vague: "No command, no path and no change came with this request, only what stands here.",
  in: "in ",
} as const;

export const EVIDENCE_NAMES = {
  command: "Command",
  arguments: "Command, as a list of arguments",
  address: "Address",
  plan: "Plan, as text",
  patch: "Patch, as text",
  note: "Agent’s note",
  title: "Agent’s title; no command came",
  long_title: "Agent’s title",
  fields: "Fields",
  new: "New file",
  empty_or_new: "New or empty file",
  emptied: "Emptied or deleted",
  changed: "Diff",
  same: "No difference",
  too_large: "Change",
  binary: "Change",
} as const;

export const diff = {
  caption: "Unified diff: old line, new line, change, text",
  added: "added",
  removed: "removed",
  linesAdded: " lines added",
  linesRemoved: " lines removed",
  unchanged: (count: number) => `${count} unchanged lines`,
  noNewline: "no newline at the end",
  tooLarge: "Too large, not shown as a diff. This is the whole new text.",
  binary: "Binary, not shown as a diff. This is the whole new text.",
  same: "The text before and the text after are equal. This is that text.",
  before: "The text before",
} as const;

export const reading = {
  more: (lines: number) => `${lines} more ${lines === 1 ? "line" : "lines"}, not seen yet`,
  seen: "Read to its end",
  showAll: "Show all",
  scrolls: (name: string) => `${name}, scrolls`,
} as const;

export const fetching = {
  loading: (size: string) => `Loading the whole request, ${size}.`,
  unreachable: "The whole request could not be loaded.",
  altered: "What was loaded is not what the Room stored: its hash differs. Nothing of it is shown.",
  dropped: "The Room no longer keeps the whole of this request. Only its summary is left.",
  unchecked:
    "This browser cannot check that this is what the Room stored: it can only over https or on localhost. Allowing stays locked.",
  retry: "Load it again",
} as const;

export const warnings = {
  label: "Warnings",
  hidden: (count: number) =>
    count === 1 ? "1 hidden or reordering character." : `${count} hidden or reordering characters.`,
  hiddenMore: " Drawn as escapes here; the agent uses the characters themselves.",
  padding: (spaces: number, lines: number) => {
    const parts = [spaces > 0 && `${spaces} spaces`, lines > 0 && `${lines} blank lines`];
    return parts.filter((part) => part !== false).join(" and ");
  },
  paddingMore: " push text out of sight. They are folded and marked here.",
  claimsRefusal: (place: number) => `Option ${place} is named like a refusal, but its kind allows.`,
  claimsAllowance: (place: number) => `Option ${place} is named as if it allowed, but its kind refuses.`,
  claimMore: " Its kind is what the agent declared to the Room.",
} as const;

export const options = {
  label: <T>(resident: T): Said<T> => ["Options, as ", resident, " offered them"],
  unnamed: "unnamed option",
  id: "id ",
  locked: "Read what stands above to its end, and the allowing options open. Refusing is live now.",
  read: "Read to its end: every option is open.",
  loading: "Allowing opens when the whole request is here and read. Refusing is live now.",
  unavailable: "Allowing stays locked: the whole request is not here. Refusing is live.",
  arming: "Just came here: allowing opens in half a second.",
  offline: <T>(resident: T): Said<T> => [
    resident,
    " is offline. A decision made now waits for it, until the time is up.",
  ],
  timeUp: "The time is up. The Room has not said yet how this ended.",
  checking: "Asking the Room how this stands.",
  gone: "The Room does not know this request any more. Nothing can be answered here.",
  notConnected: "not connected",
  sending: "sending",
  unknown: "not known yet",
  notUsed: "not used",
  offered: "What was offered",
  chosen: "chosen",
  chosenBy: <T>(who: T): Said<T> => ["chosen by ", who],
  once: <T>(resident: T): Said<T> => [
    "Press once more to choose it. ",
    resident,
    ", not the Room, decides what this covers and how long it lasts.",
  ],
  choose: <T>(name: T): Said<T> => ["Choose “", name, "”"],
  back: "Back",
} as const;

/** What became of a press that the Room did not take, on the row that was pressed. */
export function attemptLine<T>(attempt: Attempt, said: T | undefined): Said<T> {
  switch (attempt.state) {
    case "sending":
      return [];
    case "not_sent":
      return ["Not sent: this page had no connection. Press again once it is back."];
    case "unknown":
      return ["The connection was cut before the Room answered. Whether this counted is not known yet."];
    case "not_arrived":
      return ["Your press did not reach the Room. It can be pressed again."];
    case "refused":
      return attempt.code === "rate_limited"
        ? ["Not taken: too much at once. Press again in a moment."]
        : ["Not taken by the Room: ", ...(said === undefined ? [] : [said])];
    case "lost":
      return [];
  }
}

/** The answer to a click that came too late: who was first, and with what. */
export function lostLine<T>(settlement: Settlement, earlierMs: number, who: T, option: T): Said<T> {
  const unused = "; your click was not used.";
  const seconds = Math.round(earlierMs / 1000);
  const earlier = seconds >= 1 ? ` ${seconds} s earlier` : " a moment earlier";
  switch (settlement.state) {
    case "decided":
      return [who, " chose “", option, "”", earlier, unused];
    case "dismissed":
      return [who, " dismissed the request", earlier, unused];
    case "expired":
      return ["The time was up", unused];
    case "withdrawn":
      return ["The request had been withdrawn", unused];
  }
}

export const outcome = {
  youChose: <T>(option: T): Said<T> => ["You chose “", option, "”"],
  decidedBy: <T>(who: T, option: T): Said<T> => ["Decided by ", who, ": “", option, "”"],
  youDismissed: "Dismissed by you",
  dismissedBy: <T>(who: T): Said<T> => ["Dismissed by ", who],
  noneChosen: "None of the offered options was chosen.",
  agentDecidesScope: "The agent decides what this covers and how long it lasts.",
  expired: "Expired. Nobody answered.",
  expiredAt: (time: string) => `Its time ran out at ${time}. Nothing was allowed; the agent may ask again.`,
  steps: "Delivery",
  decided: (time: string) => `Decided ${time}`,
  dismissed: (time: string) => `Dismissed ${time}`,
  toldExpired: (time: string) => `Expired ${time}`,
  onItsWay: <T>(resident: T): Said<T> => ["On its way to ", resident],
  waitsFor: <T>(resident: T): Said<T> => ["Waits for ", resident, ", offline"],
  sent: <T>(resident: T): Said<T> => ["Sent to ", resident],
  unconfirmed: "Not confirmed",
  applied: "Applied",
  appliedAt: (time: string) => `Applied ${time}`,
  notApplied: "Not applied: the agent had already moved on",
} as const;

/** Delivery in a word or two, for a row of the timeline. */
export const deliveryWords = {
  onItsWay: "On its way",
  waits: "Waits for it, offline",
  sent: "Sent, not confirmed",
  applied: "Applied",
  notApplied: "Not applied: the agent had already moved on",
} as const;

export const WITHDRAWN: Readonly<Record<WithdrawReason, { text: string; more: string }>> = {
  turn_ended: { text: "Withdrawn: the turn ended", more: "The agent no longer needs an answer." },
  turn_cancelled: {
    text: "Withdrawn: the turn was cancelled",
    more: "It was cancelled before anybody answered.",
  },
  request_cancelled: {
    text: "Withdrawn: the agent took it back",
    more: "It cancelled its own request before anybody answered.",
  },
  tool_settled: {
    text: "Withdrawn: the tool already finished",
    more: "It ended before anybody answered.",
  },
  answered_elsewhere: {
    text: "Withdrawn: answered elsewhere",
    more: "The agent got its answer outside this Room.",
  },
  agent_ended: { text: "Withdrawn: the agent ended", more: "Its process is gone." },
  resident_stopped: {
    text: "Withdrawn: the resident was stopped",
    more: "Whoever runs the agent stopped it.",
  },
  resident_deadline: {
    text: "Withdrawn: the resident waited no longer",
    more: "Its own time limit was up before anybody answered.",
  },
  resident_restarted: {
    text: "Withdrawn: the agent restarted",
    more: "The new process no longer holds this request.",
  },
  resident_left: { text: "Withdrawn: the agent left", more: "It left this Room." },
  resident_removed: {
    text: "Withdrawn: the agent was removed",
    more: "Somebody removed it from this Room.",
  },
  room_closed: { text: "Withdrawn: the Room was closed", more: "Nothing was answered." },
  no_human: {
    text: "Withdrawn: nobody was here",
    more: "The agent asked to wait only if a person was connected.",
  },
};

export const room = {
  connected: "Connected",
  connecting: "Connecting",
  notConnected: "Not connected",
  ended: "Ended",
  reconnecting: "Not connected. Trying again. Nothing you press is sent.",
  retryIn: (seconds: number) => `Not connected. Trying again in ${seconds} s. Nothing you press is sent.`,
  retryNow: "Try now",
  skip: "Go to what is waiting",
  peopleHere: "People here: ",
  people: (count: number) => (count === 1 ? "1 person" : `${count} people`),
  waiting: (count: number) => `${count} waiting`,
  residents: "Residents, and who waits for what",
  waits: "Waits: ",
  waitsMore: (count: number) => ` and ${count} more`,
  idle: "Online, waits for nothing",
  offline: "Offline",
  waitingTitle: "Waiting for a person",
  cards: (count: number) => (count === 1 ? "1 card" : `${count} cards`),
  settledTitle: "Settled",
  newest: (count: number) => `newest ${count}`,
  nothingWaits: "Nobody is asking",
  nothingWaitsMore:
    "When an agent in this Room needs permission, its request appears here, and you press one of the options that it offered.",
  keys: "Keys",
  jump: "In this Room",
  title: (waiting: number, name: string) =>
    waiting > 0 ? `(${waiting}) ${name} · Handraise` : `${name} · Handraise`,
} as const;

export const announcements = {
  label: "What has just happened",
  asks: <T>(resident: T, what: T): Said<T> => [resident, " asks: ", what],
  settled: <T>(resident: T, how: readonly (T | string)[]): Said<T> => [resident, ": ", ...how],
} as const;

export const KEYS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ["j", "k"], does: "Next card, previous card (arrows too)" },
  { keys: ["1", "…", "9"], does: "Choose that option of the focused card" },
  { keys: ["Esc"], does: "Leave the card. Never a refusal" },
  { keys: ["?"], does: "Show this list" },
];
export const keys = {
  title: "Keys",
  note: "They act only inside the focused card. Enter on the page does nothing.",
  close: "Close",
} as const;

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

export const JOIN_PROBLEMS = {
  name: "This name cannot be used: it needs 1 to 80 visible characters.",
  full: "The Room is full. Try again once somebody has left.",
  limited: "Too many tries from here. Wait a moment and press again.",
  unreachable: "The Room could not be reached. Check the connection and press again.",
} as const;
export type JoinProblem = keyof typeof JOIN_PROBLEMS;

export const stop = { home: "What Handraise is", reload: "Reload", joinAgain: "Join again" } as const;

export const home = {
  title: "Agents ask, people answer",
  lead: [
    "A coding agent stops before it runs a command or changes a file, and asks in a Room.",
    "Any person in that Room reads exactly what it wants to do, and presses one of the agent’s own options.",
    "The same turn goes on with that answer; the Room decides nothing by itself, and soon forgets.",
  ],
  name: "Name of the Room",
  nameHint: "Optional.",
  key: "Creation key",
  keyHint: "This server makes Rooms only for those who have its key.",
  submit: "Create a Room",
  creating: "Creating …",
  failed: "No Room was created: the server could not be reached. Press again.",
  refused: "No Room was created: the server refused.",
  badKey: "No Room was created: the server did not take this key.",
  limited: "Too many Rooms from here. Wait a moment and press again.",
  created: "Your Room is ready",
  secrets: "Both lines below are keys to this Room. They are shown only here: copy them before you leave this page.",
  human: "Human link",
  humanLead: "Anyone with this link can answer cards here.",
  resident: "Resident invite",
  residentLead: "With this invite an agent can ask, and never answer. Connect one with this line:",
  open: "Open the Room",
} as const;

/** The line that connects an agent; `invite` is the only secret in it. */
export function residentCommand(invite: string): string {
  return `npx handraise run --invite ${invite} -- npx @agentclientprotocol/claude-agent-acp`;
}
