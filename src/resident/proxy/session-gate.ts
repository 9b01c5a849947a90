/** A session that the agent opened for the client. */
export interface OpenedSession {
  sessionId: string;
  /** The agent's raw result. */
  result: unknown;
}

/** Sends a request of the proxy's own to the agent; rejects when the agent refuses it, is late or gone. */
export type SendRequest = (method: string, params: object) => Promise<unknown>;

export type OnSessionOpened = (session: OpenedSession, request: SendRequest) => Promise<void>;

/**
 * Keeps the client's messages back while something must be done in a session first. Without anything to do it never does.
 * A prompt also waits for every session that is being opened: a client may send it in one breath with `session/load`.
 */
export class SessionGate {
  readonly #onOpened: OnSessionOpened | undefined;
  readonly #request: SendRequest;
  readonly #onFailed: (error: unknown) => void;
  #openings = 0;
  #running = 0;
  #changed = Promise.withResolvers<void>();

  constructor(
    onOpened: OnSessionOpened | undefined,
    request: SendRequest,
    onFailed: (error: unknown) => void,
  ) {
    this.#onOpened = onOpened;
    this.#request = request;
    this.#onFailed = onFailed;
  }

  /** Whether a message must wait now. */
  holds(isPrompt: boolean): boolean {
    return this.#running > 0 || (isPrompt && this.#openings > 0);
  }

  /** Resolves when `holds` may say something else. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** The client asks the agent to open a session. */
  expect(): void {
    if (this.#onOpened !== undefined) this.#openings += 1;
  }

  /** The agent answered that; undefined where no session came of it. */
  open(session: OpenedSession | undefined): void {
    if (this.#onOpened === undefined) return;
    this.#openings -= 1;
    if (session !== undefined) void this.#run(this.#onOpened, session);
    this.#wake();
  }

  async #run(onOpened: OnSessionOpened, session: OpenedSession): Promise<void> {
    this.#running += 1;
    try {
      await onOpened(session, this.#request);
    } catch (error) {
      // The gate stays shut.
      this.#onFailed(error);
      return;
    }
    this.#running -= 1;
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
