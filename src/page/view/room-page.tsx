import { useCallback, useEffect, useState } from "preact/hooks";
import { waitingCount, type RoomState } from "../model/state.ts";
import { room as words } from "../text/index.ts";
import { spell } from "../visible-text/runs.ts";
import { Announcer } from "./announcer.tsx";
import { Card } from "./card.tsx";
import { goTo } from "./go-to.ts";
import { Header } from "./header.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { Roster } from "./roster.tsx";
import { RoomContext, useRoom, type RoomView } from "./room-context.ts";
import { Timeline } from "./timeline.tsx";

/** The Room: who is here, what waits for a person, and what has been settled. */
export function RoomPage({ state, session }: RoomView) {
  const [keysShown, setKeysShown] = useState(0);
  const showKeys = useCallback(() => setKeysShown((shows) => shows + 1), []);
  useTitle(state);
  return (
    <RoomContext.Provider value={{ state, session }}>
      <Announcer />
      <button class="skip btn" type="button" onClick={() => goTo("waiting")}>
        {words.skip}
      </button>
      <Header showKeys={showKeys} />
      <main class="work">
        <Roster />
        <Waiting showKeys={showKeys} />
        <Timeline />
      </main>
      <KeysDialog shows={keysShown} />
    </RoomContext.Provider>
  );
}

function Waiting({ showKeys }: { showKeys: () => void }) {
  const { state } = useRoom();
  const waiting = waitingCount(state);
  return (
    <section class="section" id="waiting" tabIndex={-1} aria-labelledby="waiting-title">
      {state.open.length === 0 ? (
        <div class="hello">
          <h2 id="waiting-title">{words.nothingWaits}</h2>
          <p>{words.nothingWaitsMore}</p>
        </div>
      ) : (
        <>
          <div class="section-head">
            <h2 id="waiting-title">{words.waitingTitle}</h2>
            <span class="count">
              <span aria-hidden="true">{waiting}</span>
              <span class="sr">{words.cards(waiting)}</span>
            </span>
          </div>
          <ol class="cards">
            {state.open.map((entry) => (
              <li key={entry.card.requestId}>
                <Card entry={entry} showKeys={showKeys} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function useTitle(state: RoomState): void {
  const waiting = waitingCount(state);
  const name = spell(state.room?.name ?? "");
  useEffect(() => {
    document.title = words.title(waiting, name);
  }, [waiting, name]);
}
