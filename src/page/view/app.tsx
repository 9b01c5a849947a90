import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { CLOSE } from "../../protocol/index.ts";
import type { Connection } from "../model/state.ts";
import { readEntry, type Entry } from "../session/entry.ts";
import { join } from "../session/join.ts";
import type { Memory } from "../session/memory.ts";
import { openSession, type RoomSession } from "../session/room-session.ts";
import type { StopReason } from "../text/stops.ts";
import { JoinPage } from "./door.tsx";
import { later } from "./later.tsx";
import { RoomPage } from "./room-page.tsx";

const StopPage = later(async () => (await import("./stop-page.tsx")).StopPage);

/** The page behind a human link: joins, resumes, or says why it cannot. */
export function App({ memory }: { memory: Memory }) {
  const [entry, setEntry] = useState<Entry>(() => readEntry(location.hash.slice(1), memory));
  useEffect(() => {
    const open = () => {
      // Another link in the same tab.
      if (location.hash.length > 1) setEntry(readEntry(location.hash.slice(1), memory));
    };
    addEventListener("hashchange", open);
    return () => removeEventListener("hashchange", open);
  }, [memory]);

  switch (entry.type) {
    case "stop":
      return <StopPage reason={entry.reason} />;
    case "join":
      return (
        <JoinPage
          key={entry.invite}
          name={memory.name()}
          join={async (name) => {
            const result = await join(location.origin, entry.invite, name);
            if (result.type === "problem") return result.problem;
            if (result.type === "stop") setEntry(result);
            else {
              const { roomId, token } = result.joined;
              memory.rememberName(result.joined.name);
              memory.rememberToken(roomId, token);
              setEntry({ type: "resume", roomId, token, invite: entry.invite });
            }
            return undefined;
          }}
        />
      );
    case "resume":
      return <Room key={entry.token} entry={entry} memory={memory} leave={setEntry} />;
  }
}

interface RoomProps {
  entry: Extract<Entry, { type: "resume" }>;
  memory: Memory;
  leave(entry: Entry): void;
}

function Room({ entry, memory, leave }: RoomProps) {
  const { roomId, token, invite } = entry;
  const [session, setSession] = useState<RoomSession>();
  const [, look] = useState(0);
  const isLeaving = useRef(false);

  useEffect(() => {
    const session = openSession(location.origin, token);
    let isOpen = true;
    let stopWatch: (() => void) | undefined;
    const watch = async () => {
      const { watchCards } = await import("../background/start.ts");
      if (isOpen) stopWatch = watchCards(session);
    };
    // A server with a newer page no longer has this one's parts: the page itself still says what waits.
    watch().catch(() => undefined);
    const stop = session.store.subscribe(() => look((looks) => looks + 1));
    const hurry = () => {
      if (!document.hidden) session.reconnectNow();
    };
    addEventListener("online", hurry);
    document.addEventListener("visibilitychange", hurry);
    setSession(session);
    return () => {
      isOpen = false;
      stopWatch?.();
      stop();
      session.close();
      removeEventListener("online", hurry);
      document.removeEventListener("visibilitychange", hurry);
    };
  }, [token]);

  const state = session?.store.state;
  const isWelcome = state?.room !== undefined;
  useLayoutEffect(() => {
    if (!isWelcome) return;
    memory.rememberRoom(roomId);
    // The invite is a key: it must not stand in the address bar, nor go along in a copied address.
    history.replaceState(null, "", location.pathname);
  }, [isWelcome, memory, roomId]);

  const code = closeCode(state?.connection);
  const end = useCallback(() => {
    if (code === undefined) return;
    const reason = isLeaving.current && code === CLOSE.unauthorized ? "left" : stopReason(code);
    if (reason === "left" || reason === "removed" || reason === "ended") {
      memory.forgetToken(roomId, reason);
    }
    if (reason === "removed" && invite !== undefined && !isWelcome) {
      leave({ type: "join", roomId, invite });
    } else if (code !== CLOSE.roomClosed || !isWelcome) leave({ type: "stop", reason });
  }, [code, invite, isWelcome, leave, memory, roomId]);
  useEffect(end, [end]);

  const leaveRoom = useCallback(async () => {
    isLeaving.current = true;
    try {
      await session?.api.leave();
    } catch (error) {
      isLeaving.current = false;
      throw error;
    }
    memory.forgetToken(roomId, "left");
    leave({ type: "stop", reason: "left" });
  }, [leave, memory, roomId, session]);

  if (session === undefined || state === undefined) return null;
  return <RoomPage state={state} session={session} leave={leaveRoom} />;
}

function closeCode(connection: Connection | undefined): number | undefined {
  return connection?.state === "closed" ? connection.code : undefined;
}

function stopReason(code: number): StopReason {
  switch (code) {
    case CLOSE.replaced:
      return "replaced";
    case CLOSE.unauthorized:
      return "removed";
    case CLOSE.versionNotSpoken:
      return "version";
    default:
      return "ended";
  }
}
