import { pageNow } from "./page-clock.ts";
import { AnswerUnknown, NotSent, RoomApi, RoomRefusal, RoomSocket } from "../../client/index.ts";
import type { RequestStatus } from "../../protocol/index.ts";
import { reduce, type RoomEvent } from "../model/reduce.ts";
import {
  canAnswer,
  canExtend,
  findEntry,
  NO_ROOM,
  type Choice,
  type Extension,
  type RoomState,
} from "../model/state.ts";
import { fetchToolCall } from "./fetch-tool-call.ts";
import { makeStore, type Store } from "./store.ts";

/** What the page can do in its Room. */
export interface RoomSession {
  readonly store: Store<RoomState, RoomEvent>;
  /** Calls over HTTP, for what is no answer to a card. */
  readonly api: RoomApi;
  /** Chooses an offered option, or none: null dismisses the request. */
  answer(requestId: string, choice: Choice): void;
  /** Somebody pressed while there was no connection: nothing is sent, and the card says so. */
  tellNotSent(requestId: string, choice: Choice): void;
  /** Asks for more time, from the deadline as it is shown. */
  extend(requestId: string): void;
  /** Throws as `RoomSocket.send` does. Never an answer to a card. */
  say(text: string, to: string | undefined): Promise<void>;
  /** The Room has said that somebody is no participant any more. */
  noteDeparted(participantId: string): void;
  /** Loads a tool call that came by reference, once; again after a failure. */
  loadToolCall(requestId: string): void;
  release(requestId: string): void;
  reconnectNow(): void;
  close(): void;
}

const CHECK_AGAIN_MS = 2_000;

export function openSession(server: string, token: string): RoomSession {
  const store = makeStore<RoomState, RoomEvent>(NO_ROOM, reduce);
  const api = new RoomApi({ server, token });
  const socket = new RoomSocket({
    server,
    token,
    onWelcome: (frame) => {
      store.dispatch({ type: "frame", frame, now: pageNow() });
      void checkMissing();
    },
    onFrame: (frame) => store.dispatch({ type: "frame", frame, now: pageNow() }),
    onLostCard: (requestId) => store.dispatch({ type: "unreadable", requestId }),
    onState: (connection) => store.dispatch({ type: "connection", connection }),
  });

  /** Cards that the Room did not name in its welcome: how they stand must be asked. */
  async function checkMissing(): Promise<void> {
    const missing = store.state.open.filter((entry) => entry.standing === "checking");
    const checks = missing.map((entry) => checkCard(entry.card.requestId));
    await Promise.all(checks);
    const isLeft = store.state.open.some((entry) => entry.standing === "checking");
    if (isLeft && store.state.live) setTimeout(() => void checkMissing(), CHECK_AGAIN_MS);
  }

  async function checkCard(requestId: string): Promise<void> {
    try {
      const status = await api.status(requestId);
      store.dispatch({ type: "status", status, now: pageNow() });
    } catch (error) {
      const isUnknown = error instanceof RoomRefusal && error.status === 404;
      if (isUnknown) store.dispatch({ type: "gone", requestId });
    }
  }

  async function answer(requestId: string, optionId: Choice): Promise<void> {
    if (!canAnswer(store.state, requestId)) return;
    store.dispatch({ type: "pressed", requestId, optionId, now: pageNow() });
    try {
      const { status } = await (optionId === null
        ? socket.send({ type: "dismiss", requestId })
        : socket.send({ type: "decide", requestId, optionId }));
      takeStatus(status);
    } catch (error) {
      if (error instanceof RoomRefusal) {
        store.dispatch({ type: "refused", requestId, error: error.detail });
      } else if (error instanceof NotSent) {
        store.dispatch({ type: "not_sent", requestId, optionId });
      } else if (error instanceof AnswerUnknown) {
        store.dispatch({ type: "answer_unknown", requestId });
      } else throw error;
    }
  }

  function takeStatus(status: RequestStatus | undefined): void {
    if (status !== undefined) store.dispatch({ type: "status", status, now: pageNow() });
  }

  async function extend(requestId: string): Promise<void> {
    const tell = (extension: Extension | undefined) =>
      store.dispatch({ type: "extension", requestId, extension });
    const entry = findEntry(store.state, requestId);
    if (entry === undefined) return;
    // One that may have counted stays unknown.
    if (!store.state.live && entry.extension?.state !== "unknown")
      return tell({ state: "not_sent" });
    if (!canExtend(store.state, requestId)) return;
    tell({ state: "sending" });
    const { expiresAt } = entry.card;
    try {
      const { status } = await socket.send({ type: "extend", requestId, expiresAt });
      tell(undefined);
      takeStatus(status);
    } catch (error) {
      if (error instanceof NotSent) tell({ state: "not_sent" });
      else if (error instanceof AnswerUnknown) tell({ state: "unknown" });
      else if (error instanceof RoomRefusal) {
        const { code, message, settlement } = error.detail;
        tell({ state: "refused", code, message });
        if (settlement !== undefined) {
          store.dispatch({ type: "refused", requestId, error: error.detail });
        } else if (code === "request_not_found") store.dispatch({ type: "gone", requestId });
      } else throw error;
    }
  }

  async function loadToolCall(requestId: string): Promise<void> {
    const entry = findEntry(store.state, requestId);
    if (entry === undefined || entry.card.evidence.inline) return;
    if (entry.fetched?.state === "loading" || entry.fetched?.state === "loaded") return;
    store.dispatch({ type: "fetched", requestId, fetched: { state: "loading" } });
    const subtle = globalThis.crypto.subtle as SubtleCrypto | undefined;
    const fetched = await fetchToolCall(api, entry.card, subtle);
    store.dispatch({ type: "fetched", requestId, fetched });
  }

  return {
    store,
    api,
    answer: (requestId, choice) => void answer(requestId, choice),
    extend: (requestId) => void extend(requestId),
    say: async (text, to) => {
      await socket.send({ type: "say", text, ...(to === undefined ? {} : { to }) });
    },
    noteDeparted: (participantId) => store.dispatch({ type: "departed", participantId }),
    tellNotSent: (requestId, optionId) => store.dispatch({ type: "not_sent", requestId, optionId }),
    loadToolCall: (requestId) => void loadToolCall(requestId),
    release: (requestId) => store.dispatch({ type: "released", requestId }),
    reconnectNow: () => socket.reconnectNow(),
    close: () => socket.close(),
  };
}
