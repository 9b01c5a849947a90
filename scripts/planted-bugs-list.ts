/** A bug as exact replacements in the sources; each `from` must be there exactly once. */
export interface PlantedBug {
  readonly number: number;
  readonly name: string;
  readonly edits: readonly { readonly file: string; readonly from: string; readonly to: string }[];
}

const DECIDE = "src/approval/decide.ts";
const DELIVERY = "src/approval/delivery.ts";
const CARD_STORE = "worker/room/card-store.ts";
const CONVERSATION = "worker/room/conversation.ts";
const SETTLING = "worker/room/settling.ts";

const SETTLED_ONCE = `WHERE request_id = ?1 AND state = 'pending' AND (?2 NOT IN ('decided', 'dismissed') OR expires_at > ?4)`;

/** Bugs that a Room like this one could well have. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    number: 1,
    name: "a settlement is announced although it could not be stored",
    edits: [
      {
        file: SETTLING,
        from: `mustHold(this.#cards.settle(after), "a card was settled twice");`,
        to: `try {
        this.#cards.settle(after);
      } catch {}`,
      },
    ],
  },
  {
    number: 2,
    name: "a decision is taken after the deadline",
    edits: [
      {
        file: DECIDE,
        from: "const current = catchUp(card, now);",
        to: "const current = isSettled(card) ? catchUp(card, now) : card;",
      },
      {
        file: CARD_STORE,
        from: SETTLED_ONCE,
        to: "WHERE request_id = ?1 AND state = 'pending'",
      },
    ],
  },
  {
    number: 3,
    name: "a later deadline overwrites the alarm",
    edits: [
      {
        file: "worker/room/deadlines.ts",
        from: `    if (this.#armedFor !== undefined && armedFor <= at && armedFor > now) return;
    this.#set(Math.min(armedFor, at));`,
        to: `    if (this.#armedFor === at && armedFor > now) return;
    this.#set(at);`,
      },
    ],
  },
  {
    number: 4,
    name: "an acknowledgement is ignored",
    edits: [
      {
        file: DELIVERY,
        from: `    ? move(card, applied ? "applied" : "not_applied", now)`,
        to: `    ? (void applied, void now, card)`,
      },
    ],
  },
  {
    number: 5,
    name: "the role is taken from the frame",
    edits: [
      {
        file: CONVERSATION,
        from: "return this.#hear(socket, speaker, readFrame(message, speaker.participant.role), now);",
        to: `const claimed = /"role":"(human|resident)"/.exec(message)?.[1] as "human" | undefined;
      return this.#hear(socket, speaker, readFrame(message, claimed ?? speaker.participant.role), now);`,
      },
    ],
  },
  {
    number: 6,
    name: "resume is ignored",
    edits: [
      {
        file: "worker/room/resuming.ts",
        from: "cards.ofResume(residentId, named).map((card) => {",
        to: "cards.ofResume(residentId, named).slice(0, 0).map((card) => {",
      },
    ],
  },
  {
    number: 7,
    name: "resume withdraws a card that its welcome did not hold",
    edits: [
      {
        file: "src/approval/resume.ts",
        from: "if (isHeld || current.seq > command.lastSeqBefore) {",
        to: "if (isHeld) {",
      },
    ],
  },
  {
    number: 8,
    name: "a second decision overwrites the first",
    edits: [
      {
        file: DECIDE,
        from: "  if (isSettled(current)) {",
        to: `  const isOffered = current.options.some((offered) => offered.optionId === optionId);
  if (isSettled(current) && !(current.settlement.state === "decided" && isOffered)) {`,
      },
      {
        file: SETTLING,
        from: "const isNew = !isSettled(before);",
        to: "const isNew = before.settlement !== ruled.settlement;",
      },
      { file: CARD_STORE, from: SETTLED_ONCE, to: "WHERE request_id = ?1" },
    ],
  },
  {
    number: 9,
    name: "option ids are compared without their white space",
    edits: [
      {
        file: DECIDE,
        from: "current.options.find((offered) => offered.optionId === optionId);",
        to: "current.options.find((offered) => offered.optionId.trim() === optionId.trim());",
      },
    ],
  },
  {
    number: 10,
    name: "a card that is due takes its siblings with it",
    edits: [
      {
        file: SETTLING,
        from: `mustHold(this.#cards.settle(after), "a card was settled twice");`,
        to: `mustHold(this.#cards.settle(after), "a card was settled twice");
      for (const sibling of this.#cards.pendingOf(after.resident.participantId)) {
        if (after.settlement.state !== "expired") break;
        const { settlement, delivery } = after;
        this.#cards.settle({ ...sibling, settlement, delivery });
      }`,
      },
    ],
  },
];
