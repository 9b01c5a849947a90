import { isRecord } from "./json-record.ts";

/** What an agent says of itself in `initialize`: its own text. */
export interface AgentInfo {
  name: string | undefined;
  version: string | undefined;
}

export function readAgentInfo(initialized: unknown): AgentInfo {
  const info = isRecord(initialized) ? initialized["agentInfo"] : undefined;
  if (!isRecord(info)) return { name: undefined, version: undefined };
  return { name: textOf(info["name"]), version: textOf(info["version"]) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
