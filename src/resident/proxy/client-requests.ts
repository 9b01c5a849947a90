/** A mode, or a config option, that the client has the agent set, as it named them. */
export interface Setting {
  sessionId: string;
  modeId?: unknown;
  configId?: unknown;
  value?: unknown;
}

/** A request of the client whose response tells the proxy something. */
export type ClientRequest =
  | { kind: "initialize" }
  | { kind: "prompt"; sessionId: string; turnId: string }
  | { kind: "setting"; setting: Setting }
  | { kind: "opening"; sessionId: string | undefined };

/** The client's requests that wait for the agent's response, by their JSON-RPC ids. */
export class ClientRequests {
  readonly #waiting = new Map<string, ClientRequest[]>();

  add(key: string, request: ClientRequest): void {
    const same = this.#waiting.get(key);
    if (same === undefined) this.#waiting.set(key, [request]);
    else same.push(request);
  }

  /** Takes the request that a response answers: the oldest, where a client used one id twice. */
  take(key: string): ClientRequest | undefined {
    const same = this.#waiting.get(key);
    const request = same?.shift();
    if (same?.length === 0) this.#waiting.delete(key);
    return request;
  }
}
