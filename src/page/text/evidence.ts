export const card = {
  asked: "asked ",
  timeLeft: "Time left: ",
  left: (time: string) => `${time} left`,
  timeUp: "time is up",
  title: "Agent’s title:",
  path: "Path",
  paths: (count: number) => `${count} paths`,
  line: (line: number) => `, line ${line}`,
  moreTime: "More time",
  longest: "longest wait reached",
  moreFields: (count: number) => (count === 1 ? "1 more field" : `${count} more fields`),
  saysNothing:
    "The agent did not say what it will do: no command, no path and no change came with this request.",
  in: "in ",
  noDiff: "The agent sent no diff: only what stands here says what it will change.",
  diffLoading: "Loading what draws what changes here. Allowing opens when it is here.",
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
  kind: "Agent’s name for it",
  fields: "Fields",
} as const;

export const reading = {
  more: (lines: number) => `${lines} more ${lines === 1 ? "line" : "lines"}, not seen yet`,
  sideways: "More to the right, not seen yet",
  seen: "Read to its end",
  showAll: "Show all",
  scrolls: (name: string) => `${name}, scrolls`,
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
  claimsAllowance: (place: number) =>
    `Option ${place} is named as if it allowed, but its kind refuses.`,
  claimMore: " Its kind is what the agent declared to the Room.",
} as const;
