import type { Outcome, PermissionOption, Settlement } from "../../src/protocol/index.ts";
import type { StoredRow } from "./real-room.ts";
import { isHuman, type Op, type Who } from "./shapes.ts";

/** What somebody was shown of a card: in a frame, an answer, a record, or the store itself. */
export interface Sighting {
  readonly where: string;
  readonly requestId: string;
  readonly settlement?: Settlement | undefined;
  readonly outcome?: Outcome | undefined;
}

const LATER: Record<string, readonly string[]> = {
  waiting: ["sent", "applied", "not_applied"],
  sent: ["applied", "not_applied"],
};
const ROOM_REASONS = [
  "resident_restarted",
  "resident_left",
  "resident_removed",
  "room_closed",
  "no_human",
];

/**
 * "Rules that must always hold" 1 to 6 of protocol.md, judged by what was sent and what was seen alone: the reference model may be
 * wrong, these may not.
 */
export class Rules {
  /** What went wrong, in words. */
  readonly broken: string[] = [];
  readonly #asked = new Map<string, { owner: Who; options: PermissionOption[] }>();
  /** Everything that was sent, as `who op requestId detail`. */
  readonly #sent = new Set<string>();
  readonly #ends = new Map<string, string>();
  readonly #rows = new Map<string, StoredRow>();

  /** Before a call is made. */
  noteSent(op: Op): void {
    if (!("requestId" in op)) return;
    const detail = "optionId" in op ? op.optionId : "reason" in op ? op.reason : "";
    this.#sent.add(`${op.who} ${op.do} ${op.requestId} ${detail}`);
  }

  /** What the Room took as offered. */
  noteTaken(op: Op): void {
    if (op.do !== "request" || this.#asked.has(op.requestId)) return;
    this.#asked.set(op.requestId, { owner: op.who, options: op.options });
  }

  see({ where, requestId, settlement, outcome }: Sighting): void {
    const fail = (rule: string): void => void this.broken.push(`${rule}: ${requestId}, ${where}`);
    if (settlement !== undefined) {
      const end = JSON.stringify(settlement);
      const known = this.#ends.get(requestId) ?? end;
      this.#ends.set(requestId, known);
      if (known !== end) fail(`3, one settlement: first ${known}, now ${end}`);
      this.#judge(requestId, settlement, fail);
    }
    if (outcome?.outcome !== "selected") return;
    const { optionId } = outcome;
    if (settlement?.state !== "decided")
      return fail("2, allowed by something else than a decision");
    const isOffered = this.#asked.get(requestId)?.options.some((one) => one.optionId === optionId);
    if (!isOffered || settlement.option.optionId !== optionId) fail("1, exact option");
  }

  #judge(requestId: string, settlement: Settlement, fail: (rule: string) => void): void {
    const { owner, options } = this.#asked.get(requestId) ?? {};
    switch (settlement.state) {
      case "decided": {
        const { by, option } = settlement;
        const didSend = this.#sent.has(
          `${by.participantId} decide ${requestId} ${option.optionId}`,
        );
        if (!didSend || !isHuman(by.participantId) || by.role !== "human")
          fail("2, no human decided so");
        const isOffered = options?.some((one) => JSON.stringify(one) === JSON.stringify(option));
        return isOffered ? undefined : fail("1, an option that was not offered");
      }
      case "dismissed": {
        const { by } = settlement;
        const didSend = this.#sent.has(`${by.participantId} dismiss ${requestId} `);
        return didSend && isHuman(by.participantId) ? undefined : fail("5, nobody dismissed it");
      }
      case "withdrawn": {
        const { reason } = settlement;
        if ("by" in settlement) fail("5, a human named for a withdrawal");
        if (ROOM_REASONS.includes(reason)) return;
        const didSend = [...this.#sent].some(
          (one) =>
            one.endsWith(`withdraw ${requestId} ${reason}`) &&
            (owner === undefined || one.startsWith(owner)),
        );
        return didSend ? undefined : fail("5, a reason that nobody gave");
      }
      case "expired":
        if ("by" in settlement) fail("5, a human named for an expiry");
    }
  }

  /** A text that a resident received: nothing of another resident's requests, but for an id that it named itself. */
  seeAtResident(who: Who, text: string, named: readonly string[]): void {
    for (const [id] of text.matchAll(/card-r\d-\d+/g)) {
      if (id.startsWith(`card-${who}-`) || named.includes(id)) continue;
      this.broken.push(`6, isolation: ${who} got ${text.slice(0, 200)}`);
    }
  }

  /** What is stored now: nothing that was announced is missing, nothing that was stored is lost or goes back. */
  seeStored(rows: readonly StoredRow[], now: number): void {
    const stored = new Map(rows.map((row) => [row.requestId, row]));
    for (const [requestId, before] of this.#rows) {
      const { state } = stored.get(requestId)?.delivery ?? { state: "lost" };
      const isSame = before.settlement === undefined || state === before.delivery.state;
      const isLater = LATER[before.delivery.state]?.includes(state) === true;
      if (!isSame && !isLater)
        this.broken.push(`4, delivery: ${requestId} was ${before.delivery.state}, is ${state}`);
    }
    for (const row of rows) {
      const { requestId, settlement, expiresAt } = row;
      this.see({ where: "the store", requestId, settlement });
      if (settlement?.state === "expired" && (settlement.at !== expiresAt || expiresAt > now)) {
        this.broken.push(`5, expired before its deadline: ${requestId}`);
      }
      if (settlement !== undefined && "by" in settlement && settlement.at >= expiresAt) {
        this.broken.push(`2, settled by a human after its deadline: ${requestId}`);
      }
      this.#rows.set(requestId, row);
    }
    for (const [requestId, end] of this.#ends) {
      const row = stored.get(requestId);
      if (JSON.stringify(row?.settlement) !== end) {
        this.broken.push(`4, announced and not stored: ${requestId} ${end}`);
      }
    }
  }
}
