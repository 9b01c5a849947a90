export interface StartFailure {
  /** One sentence, or two. */
  how: string;
  protocol?: number;
}

/** ACP's code for an agent that nobody has signed in to. */
const AUTH_REQUIRED = -32_000;

/**
 * How an agent came to open no session. Only what is known to be harmless is taken out of an error: its message may quote the agent,
 * a path or an account.
 */
export function describeStartFailure(error: unknown): StartFailure {
  if (!(error instanceof Error)) return { how: OTHERWISE };
  const code = codeOf(error);
  if (code === AUTH_REQUIRED) {
    return { how: `The agent opened no session: it wants to be signed in first (error ${code}).` };
  }
  if (code !== undefined) return { how: `The agent opened no session: it answered error ${code}.` };
  const { message } = error;
  const version = /^The agent speaks ACP version (\d{1,6}|.*), not \d+$/s.exec(message)?.[1];
  if (version !== undefined) {
    if (!/^\d{1,6}$/.test(version)) return { how: "The agent tells no ACP version as ACP does." };
    return { how: `The agent speaks ACP version ${version}.`, protocol: Number(version) };
  }
  const end = /^The agent's process ended \((?:exit code (?:\d+|unknown)|SIG[A-Z0-9]+)\)$/;
  if (end.test(message)) return { how: `${message}.` };
  if (message === "This command does not speak ACP on stdio") return { how: `${message}.` };
  if (message.startsWith("The agent could not be started")) {
    const reason = /\b(E[A-Z0-9]{2,15})$/.exec(message)?.[1];
    return { how: `The agent could not be started${reason === undefined ? "" : ` (${reason})`}.` };
  }
  return { how: OTHERWISE };
}

const OTHERWISE = "The agent opened no session.";

/** The code of an error that the agent answered with. */
function codeOf(error: Error): number | undefined {
  if (error instanceof DOMException || !("code" in error)) return undefined;
  return typeof error.code === "number" ? error.code : undefined;
}
