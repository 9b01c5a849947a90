import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AllowedKinds, askFirst, type Step, type TurnContext } from "./ask-first.ts";
import { runCommand } from "./run-command.ts";

const COMMAND = "echo Hello from the demo agent > greeting.txt";
const NOTE = "Written by the demo agent, because a person in the Room allowed it.\n";

/**
 * One turn: a command, then a file, in a fresh temporary folder; each is asked for, and done only if it was allowed. Says what
 * happened, removes the folder, returns the ACP stop reason.
 */
export async function runTurn(
  turn: TurnContext & { allowedKinds: AllowedKinds },
): Promise<"end_turn" | "cancelled"> {
  const folder = await mkdtemp(join(tmpdir(), "handraise-demo-"));
  try {
    await say(turn, `I work in the new folder ${folder}. I will ask before each of two steps.\n`);
    for (const step of [commandIn(folder, turn.signal), noteIn(folder)]) {
      await say(turn, `${await askFirst(turn, step)}\n`);
    }
    const files = await readdir(folder);
    const held = files.length === 0 ? "nothing" : files.sort().join(", ");
    await say(turn, `Done. The folder held: ${held}. I removed it.\n`);
    return "end_turn";
  } catch (error) {
    if (turn.signal.aborted) return "cancelled";
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function commandIn(folder: string, signal: AbortSignal): Step {
  return {
    call: {
      title: COMMAND,
      kind: "execute",
      rawInput: { command: COMMAND, cwd: folder },
    },
    async run() {
      const { code, output } = await runCommand(COMMAND, folder, signal);
      return { ok: code === 0, report: `The command ended with exit code ${code}. ${output}` };
    },
    refused: "I did not run the command.",
  };
}

function noteIn(folder: string): Step {
  const path = join(folder, "notes.txt");
  return {
    call: {
      title: "Write notes.txt",
      kind: "edit",
      locations: [{ path }],
      content: [{ type: "diff", path, oldText: null, newText: NOTE }],
    },
    async run() {
      await writeFile(path, NOTE);
      return { ok: true, report: "I wrote notes.txt." };
    },
    refused: "I did not write notes.txt.",
  };
}

function say({ client, sessionId }: TurnContext, text: string): Promise<void> {
  return client.notify("session/update", {
    sessionId,
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
  });
}
