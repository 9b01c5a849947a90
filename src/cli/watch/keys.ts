/** What can be typed while cards are watched, each line with Enter. */
export const KEYS: readonly string[] = [
  "2             press option 2 of the card that is shown; one that the agent may remember",
  "              is asked about, and pressed by a second 2, or y",
  "r             dismiss the card: none of its options is chosen, and nothing is allowed",
  "m             ask for more time",
  "n, p          the next or the previous card",
  "s             show the card again",
  "say TEXT      write to everybody in the Room; never an answer to a card",
  "to NAME TEXT  write to one agent, which may take it as its prompt; never an answer either.",
  '              NAME: as it begins, or whole in quotes, such as to "My agent" go on',
  "q             leave",
];
