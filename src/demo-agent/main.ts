// A small real ACP agent: `node src/demo-agent/main.ts` on stdio. It asks before it acts, and acts only on an option that allows.
import { randomUUID } from "node:crypto";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";
import { runTurn } from "./turn.ts";

interface Session {
  /** Kinds of tool call that a person allowed for the whole session. */
  allowedKinds: Set<string>;
  running: AbortController | undefined;
}

const sessions = new Map<string, Session>();
const turns = new Set<Promise<unknown>>();

const connection = agent({ name: "handraise-demo-agent" })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 1,
    agentCapabilities: {},
    agentInfo: { name: "handraise-demo-agent", version: "1" },
  }))
  .onRequest(methods.agent.session.new, () => {
    const sessionId = randomUUID();
    sessions.set(sessionId, { allowedKinds: new Set(), running: undefined });
    return { sessionId };
  })
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
    const session = sessions.get(sessionId);
    if (session === undefined) throw RequestError.sessionNotFound(sessionId);
    if (session.running !== undefined) {
      throw RequestError.invalidRequest(undefined, "a turn is running in this session");
    }
    const running = new AbortController();
    session.running = running;
    const { allowedKinds } = session;
    const turn = runTurn({ sessionId, client, allowedKinds, signal: running.signal });
    turns.add(turn);
    try {
      return { stopReason: await turn };
    } finally {
      turns.delete(turn);
      session.running = undefined;
    }
  })
  .onNotification(methods.agent.session.cancel, ({ params: { sessionId } }) => {
    sessions.get(sessionId)?.running?.abort();
  })
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as unknown as ReadableStream<Uint8Array>,
    ),
  );

/** Ends what runs, lets it clear up its folder, and goes. */
async function leave(): Promise<never> {
  for (const { running } of sessions.values()) running?.abort();
  await Promise.allSettled(turns);
  process.exit(0);
}

process.once("SIGTERM", () => void leave());
process.once("SIGINT", () => void leave());
void connection.closed.then(leave);
