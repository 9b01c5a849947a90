import { randomUUID } from "node:crypto";
import { AcpConnection } from "./acp-connection.ts";
import { type AgentCommand, type AgentEnd, AgentProcess } from "./agent-process.ts";
import { type Clock, monotonicClock, settledWithin } from "./clock.ts";
import type { Emit } from "./events.ts";
import { isRecord } from "./json-record.ts";
import type { AskSettings } from "./parked-ask.ts";
import { PermissionBridge } from "./permission-bridge.ts";
import { type NotRun, PromptQueue } from "./prompt-queue.ts";
import type { RoomHandlers, RoomPort } from "./room-port.ts";

/** How long stopping waits for the Room to learn of withdrawals and for answers to reach the agent. */
const FAREWELL_MS = 500;

/** A Room as a resident uses it. */
export interface ResidentRoom extends RoomPort {
  /** Resolves when decisions can come from it. */
  readonly ready: Promise<void>;
  /** Waits at most `ms` for what the Room is still owed. */
  flush(ms: number): Promise<void>;
  close(): void;
}

export interface ResidentOptions {
  command: AgentCommand;
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** Joins the Room: called when the agent has opened its session. */
  joinRoom(handlers: RoomHandlers): Promise<ResidentRoom>;
  asks: AskSettings;
  emit: Emit;
  /** A piece of what the agent says. */
  onText?(text: string): void;
  /** A line of the agent's stderr. */
  onStderr?(line: string): void;
  /** Gives up starting; a resident that has started is ended by `stop`. */
  signal?: AbortSignal;
  clock?: Clock;
}

/** How one turn ended. A stop reason is the agent's: `cancelled` does not say that anybody cancelled. */
export type TurnEnd =
  | { kind: "answered"; stopReason: string }
  | { kind: "failed"; message: string }
  | NotRun;

/** Drives one agent headless, one session, one turn at a time, and has its questions answered by a Room. */
export class Resident {
  /** Resolves when the agent's process has ended, for whatever reason. */
  readonly ended: Promise<AgentEnd>;
  readonly #agent: AgentProcess;
  readonly #acp: AcpConnection;
  readonly #bridge: PermissionBridge;
  readonly #room: ResidentRoom;
  readonly #sessionId: string;
  readonly #prompts = new PromptQueue();
  #stopped: Promise<void> | undefined;

  /** Starts the agent, opens its session, joins the Room. Whatever fails on the way leaves no process behind. */
  static async start(options: ResidentOptions): Promise<Resident> {
    const { cwd, onStderr, env, clock = monotonicClock } = options;
    const agent = new AgentProcess(options.command, {
      cwd,
      ...(env === undefined ? {} : { env }),
      ...(onStderr === undefined ? {} : { onStderr }),
    });
    // The bridge is there before the Room that it asks: no ask comes before the first prompt.
    let room: ResidentRoom | undefined;
    const giveUp = (): void => {
      room?.close();
      void agent.stop();
    };
    options.signal?.addEventListener("abort", giveUp);
    const bridge = new PermissionBridge({
      room: {
        request: (build, signal) => portOf(room).request(build, signal),
        withdraw: (requestId, reason) => portOf(room).withdraw(requestId, reason),
        acknowledge: (requestId, applied) => portOf(room).acknowledge(requestId, applied),
      },
      clock,
      newRequestId: randomUUID,
      settings: options.asks,
      emit: options.emit,
    });
    const acp = new AcpConnection(agent, {
      onUpdate: (params) => {
        bridge.noteUpdate(params);
        const text = textOf(params);
        if (text !== undefined) options.onText?.(text);
      },
      onAsk: (ask) => bridge.ask(ask),
    });
    void agent.ended.then(() => acp.close());
    try {
      const sessionId = await openSession(agent, acp, cwd);
      bridge.openSession(sessionId);
      room = await options.joinRoom(bridge);
      await room.ready;
      return new Resident(agent, acp, bridge, room, sessionId);
    } catch (error) {
      room?.close();
      await agent.stop();
      throw error;
    } finally {
      options.signal?.removeEventListener("abort", giveUp);
    }
  }

  private constructor(
    agent: AgentProcess,
    acp: AcpConnection,
    bridge: PermissionBridge,
    room: ResidentRoom,
    sessionId: string,
  ) {
    this.#agent = agent;
    this.#acp = acp;
    this.#bridge = bridge;
    this.#room = room;
    this.#sessionId = sessionId;
    this.ended = agent.ended;
    void this.#endWithConnection();
  }

  /** Queues a prompt and runs it when its turn comes. */
  prompt(text: string): Promise<TurnEnd> {
    return this.#prompts.add(() => this.#runTurn(text));
  }

  /** Asks the agent to end its turn; what it asks until then is answered `cancelled`. */
  async cancel(): Promise<void> {
    // The agent learns of the end of its turn before it learns that its tool was not allowed, or it would go on with the next.
    const told = this.#acp.cancel(this.#sessionId);
    this.#bridge.cancelTurn();
    await told.catch(() => undefined);
  }

  /** Withdraws what is open, answers it `cancelled`, tells the Room, ends the agent: within 5 s. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#prompts.close();
    void this.#acp.cancel(this.#sessionId).catch(() => undefined);
    await settledWithin(this.#bridge.stop(), FAREWELL_MS, monotonicClock);
    await Promise.all([this.#room.flush(FAREWELL_MS), this.#agent.stop()]);
    this.#room.close();
    this.#acp.close();
  }

  async #endWithConnection(): Promise<void> {
    await this.#acp.closed;
    this.#bridge.endAgent();
    // Without its stdio it can do nothing more that anybody was asked about.
    await this.#agent.stop();
  }

  async #runTurn(text: string): Promise<TurnEnd> {
    this.#bridge.startTurn(this.#sessionId, randomUUID());
    try {
      return { kind: "answered", stopReason: await this.#acp.prompt(this.#sessionId, text) };
    } catch (error) {
      return { kind: "failed", message: messageOf(error) };
    } finally {
      this.#bridge.endTurn();
    }
  }
}

async function openSession(agent: AgentProcess, acp: AcpConnection, cwd: string): Promise<string> {
  try {
    await acp.initialize();
    return await acp.openSession(cwd);
  } catch (error) {
    if (!acp.isClosed) throw error;
    // An agent that dies closes its output first: what it died of says more than that.
    await settledWithin(agent.ended, FAREWELL_MS, monotonicClock);
    const end = await Promise.race([agent.ended, undefined]);
    throw end === undefined ? error : new Error(describeAgentEnd(end), { cause: error });
  }
}

/** One sentence on how an agent's process ended. */
export function describeAgentEnd(end: AgentEnd): string {
  if (end.kind === "not_started") return `The agent could not be started: ${end.message}`;
  const how = end.signal === null ? `exit code ${end.code ?? "unknown"}` : end.signal;
  return `The agent's process ended (${how})`;
}

function portOf(room: ResidentRoom | undefined): ResidentRoom {
  if (room === undefined) throw new Error("No Room was joined yet");
  return room;
}

function textOf(params: unknown): string | undefined {
  if (!isRecord(params) || !isRecord(params["update"])) return undefined;
  const { sessionUpdate, content } = params["update"];
  if (sessionUpdate !== "agent_message_chunk" || !isRecord(content)) return undefined;
  return typeof content["text"] === "string" ? content["text"] : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
