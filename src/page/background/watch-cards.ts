import type { Card } from "../../protocol/index.ts";
import { readKindOf } from "../model/evidence.ts";
import { waitingCount } from "../model/state.ts";
import type { RoomSession } from "../session/room-session.ts";
import { askNotice } from "../text/alerts.ts";
import { spell } from "../visible-text/runs.ts";
import { goTo } from "../view/go-to.ts";
import { wishes } from "./alerts.ts";
import { setBadge } from "./app-badge.ts";
import { readNews, stillWaits } from "./news.ts";
import { noticePermission, showNotice } from "./notice.ts";
import { claim, isInView, showInView } from "./tabs.ts";
import { isAudible, playTone, wakeSound } from "./tone.ts";

/** Tells whoever wants it of cards that come, and of none that has ended. Returns how to stop. */
export function watchCards({ store }: RoomSession): () => void {
  /** How to end what tells of a card, by its request. */
  const told = new Map<string, () => void>();
  let seen = 0;
  let badge = 0;
  let leaveView: (() => void) | undefined;

  const look = () => {
    const { state } = store;
    const you = state.you?.participantId;
    if (you === undefined) return;
    leaveView ??= showInView(viewName(you));
    const news = readNews(state, seen);
    seen = news.seen;
    for (const card of news.cards) {
      const { promise: end, resolve } = Promise.withResolvers<void>();
      told.set(card.requestId, resolve);
      const isOn = () => told.has(card.requestId);
      void tell(card, you, { end, isOn });
    }
    for (const [requestId, end] of told) {
      if (stillWaits(state, requestId)) continue;
      told.delete(requestId);
      end();
    }
    const waiting = waitingCount(state);
    if (waiting !== badge) setBadge(waiting);
    badge = waiting;
  };
  const stopLooking = store.subscribe(look);
  look();

  const wake = () => {
    if (wishes.state.sound) void wakeSound();
  };
  addEventListener("pointerup", wake);
  addEventListener("keydown", wake);
  // Nothing that nobody would take back may be left behind.
  const hush = () => {
    for (const end of told.values()) end();
    told.clear();
    if (badge > 0) setBadge(0);
    badge = 0;
  };
  addEventListener("pagehide", hush);
  return () => {
    stopLooking();
    removeEventListener("pointerup", wake);
    removeEventListener("keydown", wake);
    removeEventListener("pagehide", hush);
    hush();
    leaveView?.();
  };
}

const viewName = (you: string) => `handraise.view.${you}`;

interface Telling {
  /** Once the card waits no more. */
  end: Promise<void>;
  isOn(): boolean;
}

async function tell(card: Card, you: string, { end, isOn }: Telling): Promise<void> {
  const { requestId } = card;
  const name = `${you}.${requestId}`;
  if (wishes.state.sound && isAudible() && (await claim(`handraise.tone.${name}`, end))) playTone();
  if (!wishes.state.notification || noticePermission() !== "granted") return;
  if (await isInView(viewName(you))) return;
  if (!(await claim(`handraise.notice.${name}`, end)) || !isOn()) return;
  const words = askNotice(spell(card.resident.name), readKindOf(card.toolCall));
  const goToCard = () => goTo(`card-${requestId}`, "more-cards");
  const withdraw = await showNotice({ tag: requestId, ...words }, goToCard);
  await end;
  withdraw();
}
