const WAIT_MS = 3000;

export interface Frame {
  readonly type: string;
  readonly ref?: string;
  readonly [field: string]: unknown;
}

/** One socket as its client sees it: the frames since they were last taken, in their order, and the code it was closed with. */
export class Client {
  readonly #socket: WebSocket;
  #texts: string[] = [];
  #mark = "";
  #code: number | undefined;
  readonly #waiting: (() => void)[] = [];

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const text = String(data);
      if (text.startsWith("mark:")) this.#mark = text;
      else this.#texts.push(text);
      this.#wake();
    });
    socket.addEventListener("close", ({ code }) => {
      this.#code = code;
      this.#wake();
    });
    socket.accept();
  }

  send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }

  close(): void {
    this.#socket.close(1000, "test");
  }

  take(): string[] {
    return this.#texts.splice(0);
  }

  /** The answers to these frames, in their order; each text stays where it came. */
  async answers(refs: readonly string[]): Promise<Frame[]> {
    const find = (ref: string): string | undefined =>
      this.#texts.find((text) => text.includes(`"ref":"${ref}"`));
    await this.#until(
      () => refs.every((ref) => find(ref) !== undefined),
      "a frame was not answered",
    );
    return refs.map((ref) => JSON.parse(find(ref) as string) as Frame);
  }

  /** The first frame, or the code it was closed with before any. */
  async first(): Promise<Frame | number> {
    const isIt = (): boolean => this.#texts.length > 0 || this.#code !== undefined;
    await this.#until(isIt, "no first frame");
    const [text] = this.#texts;
    return text === undefined ? (this.#code as number) : (JSON.parse(text) as Frame);
  }

  marked(mark: string): Promise<void> {
    return this.#until(() => this.#mark === mark, `${mark} did not come`);
  }

  async closed(): Promise<number> {
    await this.#until(() => this.#code !== undefined, "the socket was not closed");
    return this.#code as number;
  }

  async #until(isDone: () => boolean, fault: string): Promise<void> {
    while (!isDone()) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(fault)), WAIT_MS);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
