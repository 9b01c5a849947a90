import { joinRoom, RoomApi, type RoomAddress } from "../client/index.ts";
import { parseCredential } from "../protocol/index.ts";
import { Acknowledgements } from "./acknowledgements.ts";
import type { GateAnswer } from "./answer.ts";
import { Asking, FAREWELL_MS } from "./asking.ts";
import { type AskSettings, type GateQuestion, writeQuestion } from "./question.ts";
import { repeat, within } from "./repeat.ts";
import type { OnWaiting } from "./waiting.ts";

export interface JoinOptions extends RoomAddress {
  /** A resident's. */
  invite: string;
  name: string;
  signal?: AbortSignal | undefined;
}

export interface AskOptions extends AskSettings {
  /** Takes the question back. */
  signal?: AbortSignal | undefined;
  /** Called when the card has opened and after each poll. What it throws is ignored. */
  onWaiting?: OnWaiting | undefined;
}

/** A place in a Room from which anything that speaks no ACP can ask its people. Over HTTP alone. */
export class RoomGate {
  readonly #api: RoomApi;
  readonly #briefApi: RoomApi;
  readonly #acknowledgements: Acknowledgements;

  /** @param seat a resident's place, by its token */
  constructor(seat: RoomAddress & { token: string }) {
    this.#api = new RoomApi(seat);
    const timeoutMs = Math.min(FAREWELL_MS, seat.timeoutMs ?? FAREWELL_MS);
    this.#briefApi = new RoomApi({ ...seat, timeoutMs });
    this.#acknowledgements = new Acknowledgements(this.#api);
  }

  /**
   * Joins a Room. Tries once: a join whose reply was lost may have taken effect. @throws RoomRefusal, RoomUnreachable, the reason
   * of an aborted `signal`, and TypeError for an invite that is not a resident's
   */
  static async join({ invite, name, signal, ...address }: JoinOptions): Promise<RoomGate> {
    signal?.throwIfAborted();
    if (parseCredential(invite)?.kind !== "ri") throw new TypeError("not a resident's invite");
    const joining = joinRoom(address, invite, { name }).then(
      ({ token }) => new RoomGate({ ...address, token }),
    );
    return signal === undefined ? joining : leaveOnAbort(joining, signal);
  }

  /**
   * Asks the people in the Room and waits for their answer. It resolves whatever the network does; only a person who pressed an
   * option of an allowing kind makes `reply` an `approve`, and anything else means: do not run it.
   */
  async ask(question: GateQuestion, options: AskOptions = {}): Promise<GateAnswer> {
    const { signal, onWaiting } = options;
    if (signal?.aborted === true) return { reply: { kind: "teardown" }, end: "aborted" };
    const written = writeQuestion(question, options);
    if (!written.ok) {
      return { reply: { kind: "teardown" }, end: "refused", code: written.code };
    }
    const asking = new Asking({
      api: this.#api,
      briefApi: this.#briefApi,
      acknowledgements: this.#acknowledgements,
      request: written.request,
      signal,
      onWaiting,
    });
    return asking.answer();
  }

  /** Brings what the Room is still owed and gives up the place. Takes a few seconds at most, and never throws for the network. */
  async leave(): Promise<void> {
    await this.#acknowledgements.flush(FAREWELL_MS);
    await within(FAREWELL_MS, (signal) => repeat(() => this.#briefApi.leave(), signal));
  }
}

/** Nobody waits for a join any more: should it succeed all the same, its place is given up. */
function leaveOnAbort(joining: Promise<RoomGate>, signal: AbortSignal): Promise<RoomGate> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
      joining.then((gate) => gate.leave()).catch(() => undefined);
    };
    signal.addEventListener("abort", abort, { once: true });
    void joining.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
