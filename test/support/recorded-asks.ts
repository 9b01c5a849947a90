import { readdirSync, readFileSync } from "node:fs";
import { ToolCallMemory } from "../../src/resident/tool-calls.ts";

const FIXTURES = new URL("../fixtures/acp/", import.meta.url);

interface Recording {
  messages: { params: { sessionId: string; toolCall: unknown; options: unknown } }[];
  updatesBefore: { params: { sessionId: string; update: Record<string, unknown> } }[];
}

/** The recordings of real agents, by file name without its end: "codex-edit". */
export function recordings(): string[] {
  return readdirSync(FIXTURES).map((file) => file.replace(/\.json$/, ""));
}

/** The requests of one recording, each tool call with what earlier updates said of it. */
export function recordedAsks(name: string): { toolCall: unknown; options: unknown }[] {
  const text = readFileSync(new URL(`${name}.json`, FIXTURES), "utf8");
  const { messages, updatesBefore } = JSON.parse(text) as Recording;
  const memory = new ToolCallMemory();
  for (const { params } of updatesBefore) memory.note(params.sessionId, params.update);
  return messages.map(({ params }) => ({
    toolCall: memory.merge(params.sessionId, params.toolCall).toolCall,
    options: params.options,
  }));
}
