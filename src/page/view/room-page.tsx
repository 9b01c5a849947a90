import { useCallback, useEffect, useLayoutEffect, useState } from "preact/hooks";
import { isOver, isPending, waitingCount, type RoomState } from "../model/state.ts";
import { common, room as words } from "../text/index.ts";
import { spell } from "../visible-text/runs.ts";
import { Announcer } from "./announcer.tsx";
import { Card } from "./card.tsx";
import { expectChanges } from "./change.tsx";
import { goTo } from "./go-to.ts";
import { Header } from "./header.tsx";
import { later } from "./later.tsx";
import { PANEL_BUTTON, PANEL_ID, type Panel } from "./panel.ts";
import { Roster } from "./roster.tsx";
import { RoomProvider, useRoom, type RoomView } from "./room-context.ts";
import { SteadyRoom } from "./steady-room.tsx";
import { Timeline } from "./timeline.tsx";

const KeysDialog = later(async () => (await import("./keys-dialog.tsx")).KeysDialog);
const Talk = later(async () => (await import("./talk.tsx")).Talk);
const AlertsPanel = later(async () => (await import("./alerts-panel.tsx")).AlertsPanel);
const FirstSteps = later(async () => (await import("./first-steps.tsx")).FirstSteps);
const Unreadable = later(async () => (await import("./unreadable.tsx")).Unreadable);
const InvitePanel = later(async () => (await import("./invite-panel.tsx")).InvitePanel);
const PeoplePanel = later(async () => (await import("./people-panel.tsx")).PeoplePanel);

/** The Room: who is here, what waits for a person, what has been settled, and talk. */
export function RoomPage(room: RoomView) {
  const { state } = room;
  const [opened, setOpened] = useState<Panel>();
  // A Room that has ended can be asked for nothing.
  const panel = isOver(state) ? undefined : opened;
  const close = useCallback(() => {
    setOpened((opened) => {
      if (opened !== undefined) document.getElementById(PANEL_BUTTON[opened])?.focus();
      return undefined;
    });
  }, []);
  const toggle = useCallback((panel: Panel) => {
    setOpened((opened) => (opened === panel ? undefined : panel));
  }, []);
  const [keysShown, setKeysShown] = useState(0);
  const showKeys = useCallback(() => setKeysShown((shows) => shows + 1), []);
  useTitle(state);
  useEffect(expectChanges, []);
  return (
    <RoomProvider value={room}>
      <Announcer />
      <button class="skip btn" type="button" onClick={() => goTo("waiting")}>
        {words.skip}
      </button>
      <Header showKeys={showKeys} panel={panel} toggle={toggle} />
      <div class="shell">
        <main class="work">
          <div id={PANEL_ID} tabIndex={-1}>
            {panel === "alerts" && <AlertsPanel close={close} />}
            {panel === "invite" && <InvitePanel close={close} />}
            {panel === "people" && <PeoplePanel close={close} />}
          </div>
          <Roster />
          <Waiting showKeys={showKeys} invite={() => toggle("invite")} />
          <Timeline />
          <p class="foot">
            <a href="/docs/permissions" target="_blank" rel="noreferrer">
              {common.permissions}
            </a>
          </p>
        </main>
        <aside class="talk" id="talk" tabIndex={-1} aria-labelledby="talk-title">
          <div class="talk-head">
            <h2 id="talk-title">{words.talkTitle}</h2>
            <p>{words.talkNote}</p>
          </div>
          <Talk />
        </aside>
      </div>
      {keysShown > 0 && <KeysDialog shows={keysShown} />}
    </RoomProvider>
  );
}

/** Cards drawn at once: a crowd of agents must not freeze the page on which somebody could answer them. */
const DRAWN_AT_ONCE = 30;

function Waiting({ showKeys, invite }: { showKeys: () => void; invite: () => void }) {
  const { state, session } = useRoom();
  const waiting = waitingCount(state);
  const [drawn, setDrawn] = useState(DRAWN_AT_ONCE);
  const hidden = state.open.length - drawn;
  const { open } = state;
  useEffect(() => {
    // What is not drawn has no place to keep.
    for (const entry of open.slice(drawn)) {
      if (!isPending(entry)) session.release(entry.card.requestId);
    }
  }, [open, drawn, session]);
  return (
    <section class="section" id="waiting" tabIndex={-1} aria-labelledby="waiting-title">
      {state.unreadable.length > 0 && <Unreadable count={state.unreadable.length} />}
      {state.open.length + state.unreadable.length === 0 ? (
        <div class="hello">
          <h2 id="waiting-title">{nothingWords(state)}</h2>
          {state.live && <p>{words.nothingWaitsMore}</p>}
          {state.live && state.settled.length === 0 && <FirstSteps invite={invite} />}
        </div>
      ) : (
        <>
          <div class="section-head">
            <h2 id="waiting-title">{isOver(state) ? words.wasWaiting : words.waitingTitle}</h2>
            {!isOver(state) && (
              <span class="count">
                <span aria-hidden="true">{waiting}</span>
                <span class="sr">{words.cards(waiting)}</span>
              </span>
            )}
          </div>
          <ol class="cards">
            {state.open.slice(0, drawn).map((entry) => (
              <li key={entry.card.requestId}>
                <SteadyRoom entry={entry}>
                  <Card entry={entry} showKeys={showKeys} />
                </SteadyRoom>
              </li>
            ))}
          </ol>
          {hidden > 0 && (
            <button
              class="btn"
              id="more-cards"
              type="button"
              onClick={() => setDrawn(drawn + DRAWN_AT_ONCE)}
            >
              {words.moreCards(Math.min(hidden, DRAWN_AT_ONCE), hidden)}
            </button>
          )}
        </>
      )}
    </section>
  );
}

/** Only the Room knows that nobody is asking. */
function nothingWords(state: RoomState): string {
  if (state.live) return words.nothingWaits;
  if (isOver(state)) return words.nothingMore;
  return state.room === undefined ? words.nothingKnown : words.nothingKnownNow;
}

function useTitle(state: RoomState): void {
  const waiting = waitingCount(state);
  const name = spell(state.room?.name ?? "");
  // Of what comes after painting, a page out of view does little.
  useLayoutEffect(() => {
    document.title = words.title(waiting, name);
  }, [waiting, name]);
}
