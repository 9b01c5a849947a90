const LF = 0x0a;

/** The agent's stdin: whole lines in the order in which they were written, whoever wrote them. */
export class AgentInput {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #unanswered = new Set<(error: Error) => void>();
  #isGone = false;
  /** The client's last line may have no end. */
  #isMidLine = false;

  constructor(stdin: WritableStream<Uint8Array>) {
    this.#writer = stdin.getWriter();
    this.#writer.closed.catch(() => this.end());
  }

  /** Passes on what the client sent. Resolves when the agent takes more; what an agent that is gone does not take is lost. */
  async pass(bytes: Buffer): Promise<void> {
    if (this.#isGone) return;
    this.#isMidLine = bytes.at(-1) !== LF;
    await this.#writer.write(bytes).catch(() => this.end());
  }

  /** Writes one message of our own. Resolves when it was written, rejects when the agent is gone. */
  send(json: string): Promise<void> {
    if (this.#isGone) return Promise.reject(new Error("The agent is gone"));
    const line = `${this.#isMidLine ? "\n" : ""}${json}\n`;
    this.#isMidLine = false;
    return new Promise((resolve, reject) => {
      this.#unanswered.add(reject);
      this.#writer
        .write(Buffer.from(line))
        .then(resolve, reject)
        .finally(() => this.#unanswered.delete(reject));
    });
  }

  /** The agent is gone: what was not written never will be. */
  end(): void {
    this.#isGone = true;
    for (const reject of this.#unanswered) reject(new Error("The agent is gone"));
    this.#unanswered.clear();
  }
}
