// A scripted ACP agent: `node scripted-agent.ts SCRIPT_JSON` speaks raw JSON-RPC lines, so that a test chooses every id and order.
// It writes its marker file only for an answer that selects an allowing option of the ask that it answers.
import { appendFileSync, existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";

type JsonRpcId = string | number;

/** One step of a turn. */
export type ScriptStep =
  /** Sends `session/request_permission` and does not wait. */
  | { do: "ask"; id: JsonRpcId; toolCall: object; options: OfferedOption[]; sessionId?: string }
  /** Waits until that request has its answer. */
  | { do: "await"; id: JsonRpcId }
  /** Sends any request and does not wait. */
  | { do: "request"; id: JsonRpcId; method: string; params: unknown }
  | { do: "update"; update: object; sessionId?: string }
  | { do: "cancel_request"; id: JsonRpcId }
  | { do: "await_cancel" }
  | { do: "stderr"; text: string }
  | { do: "raw"; text: string }
  /** Writes this process's environment, argv, its parent's argv and what its descriptors are to the marker file. */
  | { do: "report_process" }
  | { do: "end"; stopReason: string }
  | { do: "fail"; code: number; message: string }
  | { do: "exit"; code: number }
  /** Never ends the turn. */
  | { do: "hang" };

export interface OfferedOption {
  optionId: string;
  name: string;
  kind?: string;
}

/** The answer to one method, and the session updates that go around it. */
export type ScriptReply = ({ result: unknown } | { error: object }) & {
  /** What it does before. */
  first?: ScriptStep[];
  /** Sent in one piece with the answer. */
  updateAfter?: object;
};

export interface AgentScript {
  /** Default 1. */
  protocolVersion?: number;
  marker: string;
  /** One list of steps for each prompt; the last is repeated. */
  turns: ScriptStep[][];
  /** Stays alive when its stdin closes and on SIGTERM. */
  stubborn?: boolean;
  /** Ends at once instead of answering `initialize`. */
  exitAtOnce?: number;
  /** What it says of itself. */
  agentInfo?: object;
  /** What else `session/new` is answered with: modes, config options. */
  session?: object;
  /** What it does as soon as it has opened its session. */
  opening?: ScriptStep[];
  /** Answers to other methods. */
  replies?: Record<string, ScriptReply>;
  /** Methods that it never answers. */
  silentTo?: string[];
  /** What it writes to its stderr when its stdin closes. */
  lastWords?: string;
}

const SESSION = "session-1";
const NOT_FOUND: NonNullable<AgentScript["replies"]>[string] = {
  error: { code: -32601, message: "not found" },
};

/** What the agent tells the test about, as lines of its stderr. */
export type AgentReport =
  | { saw: "answer"; id: JsonRpcId; message: unknown; valid: boolean }
  | { saw: "cancel" }
  | { saw: "prompt"; text: unknown }
  | { saw: "call"; method: string | undefined; params: unknown };

if (process.argv[1] === import.meta.filename) run(JSON.parse(process.argv[2] ?? "") as AgentScript);

function run(script: AgentScript): void {
  const asked = new Map<JsonRpcId, OfferedOption[]>();
  const answered = new Set<JsonRpcId>();
  let wake: () => void = () => undefined;
  let cancelled = false;
  let turn = 0;

  const sendAll = (messages: object[]): void => {
    const lines = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    process.stdout.write(lines.join(""));
  };
  const send = (message: object): void => sendAll([message]);
  const report = (line: AgentReport): void => {
    process.stderr.write(`${JSON.stringify(line)}\n`);
  };
  const until = async (isReached: () => boolean): Promise<void> => {
    while (!isReached()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };

  const runSteps = async (promptId: JsonRpcId, steps: ScriptStep[]): Promise<void> => {
    for (const step of steps) {
      switch (step.do) {
        case "ask": {
          const { id, toolCall, options, sessionId = SESSION } = step;
          asked.set(id, options);
          answered.delete(id);
          const params = { sessionId, toolCall, options };
          send({ id, method: "session/request_permission", params });
          break;
        }
        case "await":
          await until(() => answered.has(step.id));
          answered.delete(step.id);
          break;
        case "request":
          send({ id: step.id, method: step.method, params: step.params });
          break;
        case "update":
          sendAll(toUpdates(step.update, step.sessionId));
          break;
        case "cancel_request":
          send({ method: "$/cancel_request", params: { requestId: step.id } });
          break;
        case "await_cancel":
          await until(() => cancelled);
          break;
        case "stderr":
          process.stderr.write(`${step.text}\n`);
          break;
        case "raw":
          process.stdout.write(`${step.text}\n`);
          break;
        case "report_process":
          appendFileSync(
            script.marker,
            JSON.stringify({
              env: Object.keys(process.env),
              values: Object.values(process.env),
              argv: process.argv,
              parentArgv: readParentArgv(),
              descriptors: listDescriptors(),
            }),
          );
          break;
        case "end":
          send({ id: promptId, result: { stopReason: step.stopReason } });
          return;
        case "fail":
          send({ id: promptId, error: { code: step.code, message: step.message } });
          return;
        case "exit":
          process.exit(step.code);
          break;
        case "hang":
          await new Promise(() => undefined);
      }
    }
  };

  const takeAnswer = (message: { id: JsonRpcId; result?: unknown; error?: unknown }): void => {
    const options = asked.get(message.id);
    const valid = options === undefined || isValidAnswer(message);
    report({ saw: "answer", id: message.id, message, valid });
    const chosen = options?.find(({ optionId }) =>
      isDeepStrictEqual(message.result, { outcome: { outcome: "selected", optionId } }),
    );
    if (chosen?.kind === "allow_once" || chosen?.kind === "allow_always") {
      appendFileSync(script.marker, `${JSON.stringify(message.id)} ${chosen.optionId}\n`);
    }
    answered.add(message.id);
    wake();
  };

  const takeRequest = ({ id, method, params }: IncomingRequest): void => {
    if (script.silentTo?.includes(method ?? "") === true) return;
    switch (method) {
      case "initialize":
        if (script.exitAtOnce !== undefined) process.exit(script.exitAtOnce);
        send({
          id,
          result: { protocolVersion: script.protocolVersion ?? 1, agentInfo: script.agentInfo },
        });
        break;
      case "session/new":
        send({ id, result: { sessionId: SESSION, ...script.session } });
        void runSteps(id, script.opening ?? []);
        break;
      case "session/prompt": {
        cancelled = false;
        report({ saw: "prompt", text: params?.prompt?.[0]?.text });
        const steps = script.turns[Math.min(turn, script.turns.length - 1)] ?? [];
        turn += 1;
        void runSteps(id, steps);
        break;
      }
      default: {
        report({ saw: "call", method, params });
        const reply: ScriptReply = script.replies?.[method ?? ""] ?? NOT_FOUND;
        const { first = [], updateAfter, ...answer } = reply;
        void runSteps(id, first);
        sendAll([{ id, ...answer }, ...toUpdates(updateAfter)]);
      }
    }
  };

  if (script.stubborn === true) {
    process.on("SIGTERM", () => undefined);
    setInterval(() => undefined, 1000);
  }
  const lines = createInterface({ input: process.stdin });
  lines.on("close", () => {
    if (script.lastWords !== undefined) process.stderr.write(`${script.lastWords}\n`);
  });
  lines.on("line", (line) => {
    const message = JSON.parse(line) as IncomingRequest & { result?: unknown; error?: unknown };
    if (message.method === undefined) takeAnswer(message);
    else if (message.id !== undefined) takeRequest(message);
    else if (message.method === "session/cancel") {
      cancelled = true;
      report({ saw: "cancel" });
      wake();
    }
  });
}

function toUpdates(update: object | undefined, sessionId = SESSION): object[] {
  if (update === undefined) return [];
  return [{ method: "session/update", params: { sessionId, update } }];
}

function readParentArgv(): string {
  const file = `/proc/${process.ppid}/cmdline`;
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** What the open descriptors are; nothing where the system has no /proc. */
function listDescriptors(): string[] {
  const folder = "/proc/self/fd";
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((descriptor) => {
    try {
      return [readlinkSync(`${folder}/${descriptor}`)];
    } catch {
      return [];
    }
  });
}

interface IncomingRequest {
  id: JsonRpcId;
  method?: string;
  params?: { prompt?: { text?: unknown }[] };
}

/** ACP `RequestPermissionResponse`, as strictly as it can be read. */
function isValidAnswer(message: { id: JsonRpcId; result?: unknown }): boolean {
  const { result } = message;
  if (isDeepStrictEqual(result, { outcome: { outcome: "cancelled" } })) return true;
  const optionId = (result as { outcome?: { optionId?: unknown } } | undefined)?.outcome?.optionId;
  return (
    typeof optionId === "string" &&
    isDeepStrictEqual(result, { outcome: { outcome: "selected", optionId } })
  );
}
