import type { ComponentChild } from "preact";
import type { Card, Settlement } from "../../protocol/index.ts";
import { readKind } from "../model/option-kind.ts";
import type { RoomState } from "../model/state.ts";
import { deliveryWords, outcome, WITHDRAWN } from "../text/index.ts";
import type { IconName } from "./icons.tsx";
import { KIND_LOOKS } from "./kind-looks.ts";
import { OptionName } from "./option-row.tsx";
import { timeToSecond } from "./time-words.ts";
import { Who } from "./who.tsx";

type Words = readonly ComponentChild[];

/** How a card ended: who, and with what. Only a person's press is ever called one. */
export function settledWords(settlement: Settlement, you: string | undefined): Words {
  switch (settlement.state) {
    case "decided": {
      const option = <OptionName option={settlement.option} />;
      return settlement.by.participantId === you
        ? outcome.youChose<ComponentChild>(option)
        : outcome.decidedBy<ComponentChild>(<Who who={settlement.by} />, option);
    }
    case "dismissed":
      return settlement.by.participantId === you
        ? [outcome.youDismissed]
        : outcome.dismissedBy<ComponentChild>(<Who who={settlement.by} />);
    case "expired":
      return [outcome.expired];
    case "withdrawn":
      return [WITHDRAWN[settlement.reason].text];
  }
}

/** What else is to be said of it. */
export function settledMore(settlement: Settlement): string | undefined {
  switch (settlement.state) {
    case "decided":
      return readKind(settlement.option).endsWith("always") ? outcome.agentDecidesScope : undefined;
    case "dismissed":
      return outcome.noneChosen;
    case "expired":
      return outcome.expiredAt(timeToSecond(settlement.at));
    case "withdrawn":
      return WITHDRAWN[settlement.reason].more;
  }
}

const WITHDRAWN_ICONS: Readonly<Partial<Record<string, IconName>>> = {
  request_cancelled: "undo",
  tool_settled: "undo",
  answered_elsewhere: "undo",
  resident_restarted: "undo",
  agent_ended: "off",
  resident_left: "off",
  resident_removed: "off",
  resident_stopped: "off",
  resident_deadline: "clock",
  no_human: "people",
  room_closed: "close",
};

export function settledLook(settlement: Settlement): { icon: IconName; tone: string } {
  switch (settlement.state) {
    case "decided":
      return KIND_LOOKS[readKind(settlement.option)];
    case "dismissed":
      return { icon: "refuse", tone: "" };
    case "expired":
      return { icon: "clock", tone: "" };
    case "withdrawn":
      return { icon: WITHDRAWN_ICONS[settlement.reason] ?? "ended", tone: "" };
  }
}

/** One step of a settlement's way to its agent. */
export interface Step {
  look: "done" | "now" | "next" | "fail";
  words: Words;
}

/** How far the settlement has come; none for a withdrawal, which answers nobody. */
export function deliverySteps(card: Card, state: RoomState): Step[] {
  const { settlement, delivery } = card;
  if (settlement === undefined || settlement.state === "withdrawn") return [];
  const resident = <Who who={card.resident} />;
  const done = (words: Words): Step => ({ look: "done", words });
  const next: Step = { look: "next", words: [outcome.applied] };
  const first = done([settledAt(settlement)]);
  const sent = done(outcome.sent<ComponentChild>(resident));
  switch (delivery.state) {
    case "none":
    case "waiting": {
      const words = isOffline(card, state) ? outcome.waitsFor : outcome.onItsWay;
      return [first, { look: "now", words: words<ComponentChild>(resident) }, next];
    }
    case "sent":
      return [first, sent, { look: "now", words: [outcome.unconfirmed] }];
    case "applied":
      return [first, sent, done([outcome.appliedAt(timeToSecond(delivery.at))])];
    case "not_applied":
      return [first, { look: "fail", words: [outcome.notApplied] }];
  }
}

function settledAt(settlement: Settlement): string {
  const time = timeToSecond(settlement.at);
  if (settlement.state === "decided") return outcome.decided(time);
  return settlement.state === "dismissed" ? outcome.dismissed(time) : outcome.toldExpired(time);
}

function isOffline(card: Card, state: RoomState): boolean {
  const { participantId } = card.resident;
  return !state.participants.some((one) => one.participantId === participantId && one.present);
}

export function deliveryWord(
  card: Card,
  state: RoomState,
): { words: string; isWarning: boolean } | undefined {
  if (card.settlement === undefined || card.settlement.state === "withdrawn") return undefined;
  switch (card.delivery.state) {
    case "none":
    case "waiting":
      return isOffline(card, state)
        ? { words: deliveryWords.waits, isWarning: true }
        : { words: deliveryWords.onItsWay, isWarning: false };
    case "sent":
      return { words: deliveryWords.sent, isWarning: false };
    case "applied":
      return { words: deliveryWords.applied, isWarning: false };
    case "not_applied":
      return { words: deliveryWords.notApplied, isWarning: true };
  }
}
