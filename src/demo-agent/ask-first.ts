import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { AgentContext, PermissionOption, ToolCall } from "@agentclientprotocol/sdk";

export interface TurnContext {
  sessionId: string;
  client: AgentContext;
  /** Aborts on `session/cancel`. */
  signal: AbortSignal;
}

export type AllowedKinds = Set<string>;

/** Something that the agent does only if it may. */
export interface Step {
  call: Omit<ToolCall, "toolCallId" | "status"> & { kind: "execute" | "edit" };
  run(): Promise<{ ok: boolean; report: string }>;
  /** What it says where it may not. */
  refused: string;
}

const OPTIONS: PermissionOption[] = [
  { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow_always", name: "Allow for this session", kind: "allow_always" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
];

/** Announces a step, asks for it unless its kind was allowed for the session, does it if it may, and returns what happened. */
export async function askFirst(
  turn: TurnContext & { allowedKinds: AllowedKinds },
  step: Step,
): Promise<string> {
  const { allowedKinds, client, sessionId, signal } = turn;
  signal.throwIfAborted();
  const call = { toolCallId: randomUUID(), ...step.call };
  const update = (fields: object) =>
    client.notify("session/update", {
      sessionId,
      update: { sessionUpdate: "tool_call_update", toolCallId: call.toolCallId, ...fields },
    });
  await client.notify("session/update", {
    sessionId,
    update: { sessionUpdate: "tool_call", ...call, status: "pending" },
  });
  try {
    if (!allowedKinds.has(call.kind)) {
      const chosen = await ask(turn, { ...call, status: "pending" });
      if (chosen === "allow_always") allowedKinds.add(call.kind);
      else if (chosen !== "allow_once") {
        await update({ status: "failed" });
        return step.refused;
      }
    }
    await update({ status: "in_progress" });
    const { ok, report } = await step.run();
    const content = [{ type: "content", content: { type: "text", text: report } }];
    await update({ status: ok ? "completed" : "failed", content });
    return report;
  } catch (error) {
    // The turn was cancelled, or the step broke: either way the call has an end.
    await update({ status: "failed" }).catch(() => undefined);
    if (signal.aborted) throw error;
    return `That failed: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** The kind of the option that was chosen; undefined for any other answer, which allows nothing. */
async function ask(
  { client, sessionId, signal }: TurnContext,
  toolCall: ToolCall,
): Promise<PermissionOption["kind"] | undefined> {
  const { outcome } = await client.request(
    "session/request_permission",
    { sessionId, toolCall, options: OPTIONS },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  );
  // The SDK hands on an answer a little sooner than a session/cancel that was sent before it.
  await setImmediate();
  signal.throwIfAborted();
  if (outcome.outcome !== "selected") return undefined;
  return OPTIONS.find(({ optionId }) => optionId === outcome.optionId)?.kind;
}
