/** A WebSocket whose every move is the test's, for states that a real one passes through too fast to meet. */
export class StubWebSocket extends EventTarget {
  static made: StubWebSocket[] = [];
  readonly OPEN = 1;
  readyState = 0;
  readonly sent: string[] = [];
  readonly closedWith: (number | undefined)[] = [];
  readonly url: string;
  readonly protocols: string[];

  constructor(url: string, protocols: string[]) {
    super();
    this.url = url;
    this.protocols = protocols;
    StubWebSocket.made.push(this);
  }

  /** The stub as RoomSocket takes it. */
  static get asGlobal(): typeof WebSocket {
    return StubWebSocket as unknown as typeof WebSocket;
  }

  /** The one that was made last. */
  static get last(): StubWebSocket {
    const last = StubWebSocket.made.at(-1);
    if (last === undefined) throw new Error("no socket yet");
    return last;
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(code?: number): void {
    this.readyState = 2;
    this.closedWith.push(code);
  }

  open(frame: object): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
    this.bring(JSON.stringify(frame));
  }

  bring(data: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  end(code: number): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}
