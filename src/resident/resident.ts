import { randomUUID } from "node:crypto";
import type { AgentInfo } from "./agent-info.ts";
import type { AgentCommand, AgentEnd } from "./agent-process.ts";
import { AgentSession } from "./agent-session.ts";
import { requireTaken, type SessionChoices } from "./apply-choices.ts";
import { type Clock, monotonicClock, settledWithin } from "./clock.ts";
import { EarlyLines } from "./early-lines.ts";
import type { Emit, TurnEnd } from "./events.ts";
import { watchMode } from "./watch-mode.ts";
import type { AskSettings } from "./parked-ask.ts";
import { PermissionBridge } from "./permission-bridge.ts";
import { ASK_ALWAYS } from "./policy-files.ts";
import type { PolicyPort } from "./policy-port.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { alsoInRoom } from "./room-lines.ts";
import { portTo, type RoomHandlers, type RoomPort, type RoomTalk } from "./room-port.ts";
import type { SessionSettings } from "./session-settings.ts";
import { TalkPrompts } from "./talk-prompts.ts";
import { TurnText } from "./turn-text.ts";
import type { ToolCall } from "../protocol/index.ts";

/** How long stopping waits for the Room to learn of withdrawals and for answers to reach the agent. */
const FAREWELL_MS = 500;

/** How long an agent that was told to cancel may take to end its turn. */
const LAST_TURN_MS = 1_000;

/** What is wrong with what an agent asks before it was told to do anything: nobody would see its end. */
const BEFORE_TURNS = "it came before any turn had begun";

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
  /** The mode and the config options that the operator chose: set and checked before the Room is joined. */
  choices?: SessionChoices;
  /** Called when the session is open, before what was chosen is set. */
  onOpened?(): void;
  /** Called when the session is as it was chosen, before the Room is joined; what it throws ends the start. */
  beforeJoin?(agent: AgentInfo, settings: SessionSettings): void;
  /** Joins the Room: called when the agent has opened its session. `stillSet` throws where what was chosen is not so any more. */
  joinRoom(handlers: RoomHandlers, talk: RoomTalk, stillSet: () => void): Promise<ResidentRoom>;
  asks: AskSettings;
  policy?: PolicyPort;
  /** Shapes a tool call for people to read; default: as the agent sent it. */
  shape?(toolCall: ToolCall): unknown;
  /** Hides in what the agent answers in the Room what is not to be read there; default: nothing. */
  redact?(text: string): string;
  emit: Emit;
  /** A piece of what the agent says. */
  onText?(text: string): void;
  /** A line of the agent's stderr. */
  onStderr?(line: string): void;
  /** Gives up starting; a resident that has started is ended by `stop`. */
  signal?: AbortSignal;
  clock?: Clock;
}

interface ResidentParts {
  agent: AgentSession;
  bridge: PermissionBridge;
  room: ResidentRoom;
  text: TurnText;
  prompts: PromptQueue;
  emit: Emit;
}

/** Drives one agent headless, one session, one turn at a time, and has its questions answered by a Room. */
export class Resident {
  /** Resolves when the agent's process has ended, for whatever reason. */
  readonly ended: Promise<AgentEnd>;
  readonly bridge: PermissionBridge;
  readonly #parts: ResidentParts;
  /** The turn that runs or ran last. */
  #turn: Promise<unknown> = Promise.resolve();
  #hasBegun = false;
  #stopped: Promise<void> | undefined;

  /** Starts the agent, opens its session, joins the Room. Whatever fails on the way leaves no process behind. */
  static async start(options: ResidentOptions): Promise<Resident> {
    const { beforeJoin, signal, shape = asItCame, redact = asItCame } = options;
    let room: ResidentRoom | undefined;
    const early = new EarlyLines();
    const emit = alsoInRoom(options.emit, () => room ?? early);
    const bridge = new PermissionBridge({
      room: portTo(() => room),
      clock: options.clock ?? monotonicClock,
      newRequestId: randomUUID,
      settings: options.asks,
      emit,
      accepts: "own",
      policy: options.policy ?? ASK_ALWAYS,
      shape,
    });
    const text = new TurnText();
    let noteMode = (): void => undefined;
    let resident: Resident | undefined;
    const agent = await AgentSession.open({
      ...options,
      events: {
        onUpdate(params, findFlaw) {
          bridge.noteUpdate(params, findFlaw);
        },
        onAsk(ask) {
          const isEarly = resident === undefined || !resident.#hasBegun;
          bridge.ask(isEarly ? { ...ask, flaw: ask.flaw ?? BEFORE_TURNS } : ask);
        },
        onBadLine: sayOnce(() =>
          emit({ type: "diagnostic", text: "The agent writes lines that are no messages." }),
        ),
      },
      onOwnUpdate(params) {
        const piece = text.note(params);
        if (piece !== undefined) options.onText?.(piece);
        noteMode();
      },
    });
    const giveUp = (): void => room?.close();
    signal?.addEventListener("abort", giveUp);
    try {
      bridge.openSession(agent.sessionId);
      beforeJoin?.(agent.info, agent.settings);
      const watch = watchMode(agent.info, agent.settings, emit, options.choices?.mode);
      const prompts = new PromptQueue();
      const talk = {
        onPrompt: (message: Parameters<RoomTalk["onPrompt"]>[0]) => void heard.take(message),
      };
      room = await options.joinRoom(bridge, talk, () => {
        if (options.choices !== undefined) requireTaken(agent.settings, options.choices);
      });
      early.sayIn(room);
      const started = new Resident({ agent, bridge, room, text, prompts, emit });
      resident = started;
      const heard = new TalkPrompts({
        ahead: () => prompts.size,
        run: (prompt, by) => started.prompt(prompt, by),
        redact,
        say: (line, to) => room?.say(line, to),
      });
      await room.ready;
      signal?.throwIfAborted();
      // A change that came while the Room was joined is one that the Room is told of.
      noteMode = watch;
      noteMode();
      return started;
    } catch (error) {
      room?.close();
      await agent.process.stop();
      throw error;
    } finally {
      signal?.removeEventListener("abort", giveUp);
    }
  }

  private constructor(parts: ResidentParts) {
    this.#parts = parts;
    this.bridge = parts.bridge;
    this.ended = parts.agent.process.ended;
    void this.#endWithConnection();
  }

  /** Queues a prompt and runs it when its turn comes. `by`: the name of who wrote it in the Room. */
  async prompt(text: string, by?: string): Promise<TurnEnd> {
    const { prompts, emit } = this.#parts;
    const end = await prompts.add(() => {
      emit({ type: "turn_started", ...(by === undefined ? {} : { by }) });
      return this.#runTurn(text);
    });
    emit({ type: "turn_ended", end });
    return end;
  }

  /** Asks the agent to end its turn; what it asks until then is answered `cancelled`. */
  async cancel(): Promise<void> {
    const { acp, sessionId } = this.#parts.agent;
    // The agent learns of the end of its turn before it learns that its tool was not allowed, or it would go on with the next.
    const told = acp.cancel(sessionId);
    this.bridge.cancelTurn(sessionId);
    await told.catch(() => undefined);
  }

  /** Withdraws what is open, answers it `cancelled`, tells the Room, ends the agent: within 5 s. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const { agent, room, prompts } = this.#parts;
    const { acp, process, sessionId } = agent;
    prompts.close();
    void acp.cancel(sessionId).catch(() => undefined);
    await settledWithin(this.bridge.stop(), FAREWELL_MS, monotonicClock);
    // What it still asks until its turn is over is answered, too.
    await settledWithin(this.#turn, LAST_TURN_MS, monotonicClock);
    await Promise.all([room.flush(FAREWELL_MS), process.stop()]);
    room.close();
    acp.close();
  }

  async #endWithConnection(): Promise<void> {
    const { acp, process } = this.#parts.agent;
    await acp.closed;
    this.bridge.endAgent();
    // Without its stdio it can do nothing more that anybody was asked about.
    await process.stop();
  }

  #runTurn(prompt: string): Promise<TurnEnd> {
    const turn = this.#promptAgent(prompt);
    this.#turn = turn;
    return turn;
  }

  async #promptAgent(prompt: string): Promise<TurnEnd> {
    const { agent, text } = this.#parts;
    const { acp, sessionId } = agent;
    text.clear();
    this.#hasBegun = true;
    this.bridge.startTurn(sessionId, randomUUID());
    try {
      const stopReason = await acp.prompt(sessionId, prompt);
      return { kind: "answered", stopReason, text: text.text, leftOutBytes: text.leftOutBytes };
    } catch (error) {
      return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
    } finally {
      this.bridge.endTurn(sessionId);
    }
  }
}

function asItCame<T>(what: T): T {
  return what;
}

function sayOnce(say: () => void): () => void {
  let isSaid = false;
  return () => {
    if (!isSaid) say();
    isSaid = true;
  };
}
