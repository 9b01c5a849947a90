export const KEYS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ["j", "k"], does: "Next card, previous card (arrows too)" },
  { keys: ["1", "…", "9"], does: "Choose that option of the focused card" },
  { keys: ["Esc"], does: "Leave the card. Never a refusal" },
  { keys: ["?"], does: "Show this list" },
];
export const keys = {
  title: "Keys",
  note: "They act only inside the focused card. Enter on the page does nothing.",
} as const;
