import shell from "../../../test/fixtures/acp/claude-shell.json" with { type: "json" };
import codexShell from "../../../test/fixtures/acp/codex-shell.json" with { type: "json" };
import { command, makeCard, NO_WAYS, recorded, STD } from "../asks.ts";
import { cut, enter, frame, press } from "../happen.ts";
import { CLAUDE, isAway, NOW } from "../people.ts";
import { cardShown, type Shown } from "../shown.ts";

const SECOND = 1_000;
const ask = recorded(shell);
const long = `set -eu\n${'echo "one step of many"\n'.repeat(40)}rm -rf build`;

function card(requestId: string, changes: Parameters<typeof makeCard>[2] = {}) {
  return makeCard(requestId, ask, changes);
}

function extended(requestId: string) {
  return frame({
    type: "card_extended",
    requestId,
    expiresAt: NOW + 572 * SECOND,
    serverTime: NOW,
  });
}

const always = [{ press: '[data-option="allow-with-updates"]' }];

/** A card that nobody has pressed, and one that somebody is about to. */
export const WAITING: readonly Shown[] = [
  cardShown(card("ready"), "Waits for a person"),
  {
    ...cardShown(card("inert"), "Inert: has just come, or moved"),
    isWhole: true,
    isRestless: true,
  },
  cardShown(
    makeCard("locked", { toolCall: command(long), options: STD }),
    "Locked until it is read: refusing is live",
  ),
  cardShown(
    makeCard("read-to-its-end", { toolCall: command(long), options: STD }),
    "Read to its end, after “Show all”",
    [],
    [{ press: ".ev-more button" }],
  ),
  cardShown(card("second-press"), "A durable option takes a second press", [], always),
  cardShown(
    makeCard("second-press-refusing", { toolCall: command("npm publish"), options: NO_WAYS }),
    "Refusing durably takes one too",
    [],
    [{ press: '[data-option="never-3"]' }],
  ),
  cardShown(card("offline-resident"), "The resident is offline", [
    frame({ type: "participant_changed", participant: isAway(CLAUDE) }),
  ]),
  cardShown(
    card("more-time", { maxExpiresAt: NOW + 900 * SECOND }),
    "People may give it more time",
  ),
  cardShown(card("extended", { maxExpiresAt: NOW + 900 * SECOND }), "More time was given", [
    extended("extended"),
  ]),
  cardShown(
    card("more-time-used-up", { maxExpiresAt: NOW + 572 * SECOND }),
    "More time is used up",
    [extended("more-time-used-up")],
  ),
  cardShown(
    card("more-time-refused", { maxExpiresAt: NOW + 900 * SECOND }),
    "More time was not given",
    [
      {
        type: "extension",
        requestId: "more-time-refused",
        extension: { state: "refused", code: "not_extendable", message: "" },
      },
    ],
  ),
  cardShown(card("last-seconds", { expiresAt: NOW + 16 * SECOND }), "The last 20 seconds"),
  cardShown(
    card("time-up", { expiresAt: NOW - SECOND }),
    "The time is up, and the Room has not said more",
  ),
  cardShown(
    makeCard("asked-long-ago", recorded(codexShell), {
      openedAt: NOW - 7_400 * SECOND,
      expiresAt: NOW + 7_000 * SECOND,
    }),
    "Asked hours ago",
  ),
];

const pressed = (requestId: string) => press(requestId, "allow-once");

/** A press that is on its way, or did not come through. */
export const PRESSES: readonly Shown[] = [
  cardShown(card("sending"), "Sending", [pressed("sending")]),
  cardShown(card("not-sent"), "Not sent: no connection", [
    cut(),
    { type: "not_sent", requestId: "not-sent", optionId: "allow-once" },
  ]),
  cardShown(card("not-known-yet"), "Cut off before the answer came", [
    pressed("not-known-yet"),
    cut(),
    { type: "answer_unknown", requestId: "not-known-yet" },
  ]),
  cardShown(card("not-arrived"), "The Room, asked afterwards, still holds it as pending", [
    pressed("not-arrived"),
    { type: "answer_unknown", requestId: "not-arrived" },
    ...enter([card("not-arrived")]),
  ]),
  cardShown(card("refused-by-room"), "The Room did not take the press", [
    pressed("refused-by-room"),
    {
      type: "refused",
      requestId: "refused-by-room",
      error: { code: "rate_limited", message: "Too much at once." },
    },
  ]),
  cardShown(card("checking"), "In neither list of a new welcome: the Room is asked", enter([])),
  cardShown(card("gone"), "The Room does not know it any more", [
    ...enter([]),
    { type: "gone", requestId: "gone" },
  ]),
];
