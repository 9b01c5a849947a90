import { TASKS } from "./tasks.ts";

/** What the page says before its tables. */
export function explain(date: string): string {
  return `Measured on ${date} by \`npm run compat\`. **These are facts of the versions named here, on one day; they are no promises.** An agent's next
version, its settings, its model or its operating system can change any of them. And ACP is a control protocol, not a sandbox: an
agent asks because it chooses to, and what it does without asking it does with its own rights.

Every case has a Room, a person in it (the project's own client, pressing as told), a folder, and one process of the agent behind
\`handraise run\` or, with another client in front of it, \`handraise proxy\`. What counts is what is found **on disk**: nothing before the
answer, once after an allow, never after anything else. A tap on the agent's own stdio says which options were offered, which answer
the agent got, in which mode it was prompted and how its turn ended.

| in the tables | means |
| --- | --- |
| allow once, allow always | the first option of kind \`allow_once\`, \`allow_always\` is pressed |
| refuse | the first option of kind \`reject_once\` is pressed |
| dismiss, nobody answers | a person dismisses the card, or it expires: the agent is told \`cancelled\` |
| stop | \`run\` gets SIGTERM, or the client in front of \`proxy\` sends \`session/cancel\`, with the card open |
| agent killed | SIGKILL to the agent with the card open |
| two commands at once | the first card gets the answer of its line, the second the opposite |
| leaving plan mode | once it was allowed, the agent runs a command: that card is refused |
| ran, not run | found on disk, or not (unasked: without an answer, under what a person had allowed always); then how the turn ended, in the agent's own word |
| asks once more | after the stop it put another question: answered \`cancelled\`, or gone with its process |
| leaves its question open | its turn ended with a question open; the card was closed within a second |
| – | the agent has nothing of the kind |
| asks? | in that mode: \`asks\` for everything tried, \`partly\`, \`never\`; \`docs/compatibility.json\` keeps it for the command's warnings |`;
}

/** How anybody can do it again. */
export const REPEATING = `## How to repeat it

\`\`\`sh
npm run compat -- --agents FILE          # every case; writes this page and docs/compatibility.json
npm run compat -- --agents FILE --slow   # and a decision that takes 90 s
npm run compat -- --agents FILE --only claude --cases shell,always   # a part; writes nothing
\`\`\`

It ends with 1 where anything was unsafe (it ran without an allow, twice for one, or after a refusal; a turn never ended; a card or a
question stayed open; a mode was not the one that was asked for) or could not be played. FILE is a JSON array with an object for each agent:

| field | what |
| --- | --- |
| \`name\`, \`version\` | as the tables show them; the agent must report the same version |
| \`command\` | a shell line that speaks ACP on stdio. \`{dir}\`: the session's folder; \`{home}\`: a folder that its next process finds again |
| \`prompt\` | a shell line that prints the prompt for \`{case}\` in \`{dir}\`, with \`{url}\` and \`{outside}\`; exit code 2 where the agent has no such case |
| \`mode\`, \`config\` | what each session is set to, and checked; \`cases\` has others for single cases |
| \`asking\` | \`mode\`, or \`configuration\` where its own settings decide what it asks about |
| \`install\`, \`note\` | the shell line that installs it, and a sentence, for this page |
| \`notRun\` | in place of all but the name: why it is only listed |

The prompt makes the agent's model do exactly one thing. With a real model that takes a sentence; to be repeatable, replace the model by one that
follows a script.

| case | what the agent is to do in \`{dir}\` |
| --- | --- |
${Object.entries(TASKS)
  .map(([name, { says }]) => `| \`${name}\` | ${says} |`)
  .join("\n")}`;
