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
  secrets:
    "The link and the line for a terminal are keys to this Room. They are shown only here: copy them before you leave this page.",
  open: "Open the Room",
} as const;
