import shell from "../../../test/fixtures/acp/claude-shell.json" with { type: "json" };
import { WITHDRAW_REASONS } from "../../protocol/index.ts";
import type { Delivery, Settlement } from "../../protocol/index.ts";
import { makeCard, NO_WAYS, recorded } from "../asks.ts";
import { decided, end, enter, ended, frame, press, SETTLED_AT } from "../happen.ts";
import { ANA, BEN, CLAUDE, isAway, isHere, OTHER_BEN, RESIDENTS, YOU } from "../people.ts";
import { cardShown, type RoomShown, type Shown } from "../shown.ts";

const ask = { ...recorded(shell), options: NO_WAYS };
const [once, always, no, never] = NO_WAYS;
const expired: Settlement = { state: "expired", at: SETTLED_AT };
const dismissed: Settlement = { state: "dismissed", at: SETTLED_AT, by: BEN };

function endShown(
  name: string,
  says: string,
  settlement: Settlement,
  delivery: Delivery["state"] = "applied",
): RoomShown {
  return cardShown(makeCard(name, ask), says, [end(name, settlement, delivery)]);
}

/** How a card ended: in its place, while somebody still looks at it. */
export const ENDINGS: readonly Shown[] = [
  endShown("decided-by-you", "Decided by you", decided(once, YOU)),
  endShown("allowed-once", "Allowed once by another", decided(once)),
  endShown("allowed-always", "Allowed for good by another", decided(always)),
  endShown("refused-once", "Refused once by another", decided(no)),
  endShown("refused-always", "Refused for good by another", decided(never)),
  endShown("on-its-way", "On its way to the resident", decided(once), "waiting"),
  cardShown(makeCard("waits-for-offline", ask), "Waits for a resident that is offline", [
    frame({ type: "participant_changed", participant: isAway(CLAUDE) }),
    end("waits-for-offline", decided(once), "waiting"),
  ]),
  endShown("sent", "Sent, not confirmed", decided(once), "sent"),
  endShown("not-applied", "Not applied: the agent had moved on", decided(once), "not_applied"),
  endShown("dismissed", "Dismissed by another", dismissed),
  endShown("dismissed-by-you", "Dismissed by you", { ...dismissed, by: ANA }),
  endShown("expired", "Expired: nobody answered", expired),
  ...WITHDRAW_REASONS.map((reason) =>
    endShown(
      `withdrawn-${reason.replaceAll("_", "-")}`,
      `Withdrawn: ${reason}`,
      { state: "withdrawn", at: SETTLED_AT, reason },
      "none",
    ),
  ),
  cardShown(makeCard("lost-click", ask), "A click that came too late", [
    press("lost-click", "allow-1"),
    end("lost-click", decided(no)),
  ]),
  cardShown(
    makeCard("lost-click-dismissed", { ...ask, options: NO_WAYS.slice(0, 2) }),
    "Too late: somebody had dismissed it",
    [press("lost-click-dismissed", "allow-1"), end("lost-click-dismissed", dismissed)],
  ),
  {
    name: "equal-deciders",
    says: "Two people by one name",
    events: [
      ...enter([makeCard("equal-deciders", ask)], {
        participants: [isHere(YOU), isHere(BEN), isHere(OTHER_BEN), ...RESIDENTS],
      }),
      end("equal-deciders", decided(once)),
    ],
  },
];

const settlements: [string, Settlement, Delivery["state"]][] = [
  ["row-allowed", decided(once), "applied"],
  ["row-always", decided(always), "sent"],
  ["row-refused", decided(no, YOU), "applied"],
  ["row-not-applied", decided(once), "not_applied"],
  ["row-dismissed", dismissed, "waiting"],
  ["row-expired", expired, "applied"],
  ["row-withdrawn", { state: "withdrawn", at: SETTLED_AT, reason: "turn_ended" }, "none"],
];
const rows = settlements.map(([id, settlement, delivery]) =>
  ended(makeCard(id, ask), settlement, delivery),
);

/** What is in the timeline. */
export const TIMELINE: readonly Shown[] = [
  { name: "timeline", says: "Settled rows", events: enter([], { recent: rows }), isWhole: true },
  {
    name: "timeline-open",
    says: "A settled row, opened",
    events: enter([], { recent: rows }),
    acts: [{ unfold: '[data-settled-card="row-always"]' }],
    isWhole: true,
  },
];
