import { AcpConnection, type AgentEvents, type OpenedSession } from "./acp-connection.ts";
import type { AgentInfo } from "./agent-info.ts";
import { type AgentCommand, type AgentEnd, AgentProcess } from "./agent-process.ts";
import { applyChoices, type SessionChoices } from "./apply-choices.ts";
import { monotonicClock, settledWithin } from "./clock.ts";
import { isRecord } from "./json-record.ts";
import { oneLine } from "./one-line.ts";
import type { SessionSettings } from "./session-settings.ts";

/** How long an agent that is going may take until it is known what it died of. */
const LAST_WORDS_MS = 500;

export interface AgentSessionOptions {
  command: AgentCommand;
  cwd: string;
  env?: NodeJS.ProcessEnv | undefined;
  /** What the operator chose; nothing else is set. */
  choices?: SessionChoices | undefined;
  events: AgentEvents;
  /** Raw params of a `session/update` of the session that was opened here: an agent may have others. */
  onOwnUpdate?: ((params: unknown) => void) | undefined;
  /** The session is open; what was chosen is not set yet. */
  onOpened?: (() => void) | undefined;
  /** A line of the agent's stderr. */
  onStderr?: ((line: string) => void) | undefined;
  /** Gives up starting. */
  signal?: AbortSignal | undefined;
}

/** A running agent with its one session. */
export class AgentSession {
  readonly process: AgentProcess;
  readonly acp: AcpConnection;
  readonly info: AgentInfo;
  readonly sessionId: string;
  readonly settings: SessionSettings;

  /** Starts the agent, opens its session, sets and checks what was chosen. Whatever fails on the way leaves no process behind. */
  static async open(options: AgentSessionOptions): Promise<AgentSession> {
    const { command, cwd, env, choices, events, onOwnUpdate, onStderr, signal } = options;
    const process = new AgentProcess(command, {
      cwd,
      ...(env === undefined ? {} : { env }),
      ...(onStderr === undefined ? {} : { onStderr }),
    });
    const giveUp = (): void => void process.stop();
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener("abort", giveUp);
    let opened: OpenedSession | undefined;
    const acp = new AcpConnection(process, {
      ...events,
      onUpdate(params, findFlaw) {
        const own =
          isRecord(params) && params["sessionId"] === opened?.sessionId ? opened : undefined;
        if (isRecord(params)) own?.settings.note(params["update"]);
        events.onUpdate(params, findFlaw);
        if (own !== undefined) onOwnUpdate?.(params);
      },
    });
    void process.ended.then(() => acp.close());
    try {
      const info = await acp.initialize();
      opened = await acp.openSession(cwd);
      options.onOpened?.();
      const session = new AgentSession(process, acp, info, opened);
      if (choices !== undefined) {
        await applyChoices(opened.sessionId, opened.settings, choices, (method, params) =>
          acp.set(method, params),
        );
      }
      return session;
    } catch (error) {
      const cause = await causeOf(error, process, acp);
      await process.stop();
      throw cause;
    } finally {
      signal?.removeEventListener("abort", giveUp);
    }
  }

  private constructor(
    process: AgentProcess,
    acp: AcpConnection,
    info: AgentInfo,
    { sessionId, settings }: OpenedSession,
  ) {
    this.process = process;
    this.acp = acp;
    this.info = info;
    this.sessionId = sessionId;
    this.settings = settings;
  }
}

/** An agent that dies closes its output first: what it died of says more than that. */
async function causeOf(failure: unknown, process: AgentProcess, acp: AcpConnection) {
  if (!acp.isClosed) return failure;
  await settledWithin(process.ended, LAST_WORDS_MS, monotonicClock);
  const end = await Promise.race([process.ended, undefined]);
  return end === undefined ? failure : new Error(describeAgentEnd(end), { cause: failure });
}

/** One sentence on how an agent's process ended. */
export function describeAgentEnd(end: AgentEnd): string {
  if (end.kind === "not_started") {
    const isMissing = /ENOENT/.test(end.message);
    const why = isMissing
      ? "there is no such command (is it installed?), ENOENT"
      : oneLine(end.message, 500);
    return `The agent could not be started: ${why}`;
  }
  const how = end.signal === null ? `exit code ${end.code ?? "unknown"}` : end.signal;
  return `The agent's process ended (${how})`;
}
