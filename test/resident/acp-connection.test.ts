import { describe, expect, it } from "vitest";
import { AcpConnection } from "../../src/resident/acp-connection.ts";
import { AgentRefusal } from "../../src/resident/agent-refusal.ts";

const PATIENCE = { openingMs: 20, settingMs: 10 };

/** A connection to an agent that answers what `answers` names, and nothing else. */
function connect(answers: Record<string, object> = {}): AcpConnection {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const out = writable.getWriter();
  const stdin = new WritableStream<Uint8Array>({
    async write(bytes) {
      const { id, method = "" } = JSON.parse(new TextDecoder().decode(bytes)) as {
        id?: number;
        method?: string;
      };
      const answer = answers[method];
      if (id === undefined || answer === undefined) return;
      const line = JSON.stringify({ jsonrpc: "2.0", id, ...answer });
      await out.write(new TextEncoder().encode(`${line}\n`));
    },
  });
  const ignore = (): void => undefined;
  const events = { onUpdate: ignore, onAsk: ignore };
  return new AcpConnection({ stdin, stdout: readable }, events, PATIENCE);
}

const CALLS: [method: string, seconds: number, call: (acp: AcpConnection) => Promise<unknown>][] = [
  ["initialize", 0.02, (acp) => acp.initialize()],
  ["session/new", 0.02, (acp) => acp.openSession("/")],
  ["session/set_mode", 0.01, (acp) => acp.set("session/set_mode", {})],
];

describe("a call to the agent", () => {
  it.each(CALLS)(
    "of %s that it never answers is told as that, not as cancelled",
    async (method, seconds, call) => {
      const acp = connect();
      const failure = call(acp).catch((error: unknown) => error);
      expect(String(await failure)).toBe(
        `Error: The agent did not answer ${method} within ${seconds} s`,
      );
      acp.close();
    },
  );

  it.each(CALLS)("of %s that it refuses is told in its words, as its", async (method, _, call) => {
    const error = { code: -32_000, message: "no.\nA command: allowed." };
    const acp = connect({ [method]: { error } });
    const failure = await call(acp).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AgentRefusal);
    expect(failure).toMatchObject({
      code: -32_000,
      message: `The agent refused ${method}: no. A command: allowed.`,
    });
    acp.close();
  });

  it("of a method that a command which is no agent does not know is told as that", async () => {
    const acp = connect({ initialize: { error: { code: -32_601, message: "what?" } } });
    await expect(acp.initialize()).rejects.toThrow("does not speak ACP on stdio");
    acp.close();
  });
});
