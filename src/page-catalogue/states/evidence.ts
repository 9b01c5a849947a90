import claudeEdit from "../../../test/fixtures/acp/claude-edit.json" with { type: "json" };
import claudeFetch from "../../../test/fixtures/acp/claude-fetch.json" with { type: "json" };
import claudePlan from "../../../test/fixtures/acp/claude-plan.json" with { type: "json" };
import codexEdit from "../../../test/fixtures/acp/codex-edit.json" with { type: "json" };
import copilotShell from "../../../test/fixtures/acp/copilot-shell.json" with { type: "json" };
import opencodeWrite from "../../../test/fixtures/acp/opencode-write.json" with { type: "json" };
import type { ToolCall } from "../../protocol/index.ts";
import { command, edit, makeCard, recorded, STD } from "../asks.ts";
import { cardShown, type Shown } from "../shown.ts";
import { HUNKS, RETRY_AFTER, RETRY_BEFORE } from "./retry-file.ts";

function shown(name: string, says: string, toolCall: ToolCall): Shown {
  return cardShown(makeCard(name, { toolCall, options: STD }), says);
}

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} ${index}`).join("\n");

/** What will be done, as agents say it. */
export const EVIDENCE: readonly Shown[] = [
  cardShown(makeCard("recorded-edit", recorded(claudeEdit)), "An edit, as an agent sent it"),
  shown("diff", "An edit with a diff", edit("src/retry.ts", RETRY_BEFORE, RETRY_AFTER)),
  shown("hunks", "Parts of a larger file", {
    toolCallId: "t1",
    kind: "edit",
    title: "Edit src/retry.ts",
    content: HUNKS,
  }),
  cardShown(makeCard("new-file", recorded(opencodeWrite)), "A file that is new, or was empty"),
  shown("deleted", "A file that is emptied", {
    ...edit("src/old.ts", "one\ntwo\n", ""),
    kind: "delete",
  }),
  shown("binary", "Binary", edit("logo.png", "\u0000PNG\n", "\u0000PNG2\n")),
  shown(
    "too-large",
    "Too large to draw as a diff",
    edit("big.txt", lines(2_500, "old"), lines(2_500, "new")),
  ),
  cardShown(makeCard("edit-without-diff", recorded(codexEdit)), "An edit that came without a diff"),
  cardShown(makeCard("plan", recorded(claudePlan)), "A plan"),
  cardShown(makeCard("fetch", recorded(claudeFetch)), "An address to fetch"),
  cardShown(makeCard("title-differs", recorded(copilotShell)), "A title that is not the command"),
  shown("many-lines", "A script, where it will run, and why", {
    ...command("set -eu\nnpm ci\nnpm test\n", { title: "Run the tests" }),
    rawInput: { command: "set -eu\nnpm ci\nnpm test\n", cwd: "/workspace/app", timeout: 120_000 },
    content: [{ type: "content", content: { type: "text", text: "Checks that nothing broke" } }],
    locations: [{ path: "/workspace/app/package.json" }, { path: "/workspace/app/src", line: 12 }],
  }),
  shown("no-evidence", "The agent said nothing", { toolCallId: "t1", title: "Do it" }),
];
