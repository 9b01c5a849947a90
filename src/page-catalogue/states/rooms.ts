import claudeEdit from "../../../test/fixtures/acp/claude-edit.json" with { type: "json" };
import claudePlan from "../../../test/fixtures/acp/claude-plan.json" with { type: "json" };
import claudeShell from "../../../test/fixtures/acp/claude-shell.json" with { type: "json" };
import codexShell from "../../../test/fixtures/acp/codex-shell.json" with { type: "json" };
import opencodeWrite from "../../../test/fixtures/acp/opencode-write.json" with { type: "json" };
import opencodeFetch from "../../../test/fixtures/acp/opencode-fetch.json" with { type: "json" };
import { CLOSE, type Card, type Message } from "../../protocol/index.ts";
import { STOPS, type StopReason } from "../../page/text/stops.ts";
import { command, makeCard, recorded, STD, type Ask } from "../asks.ts";
import { cut, decided, ended, enter } from "../happen.ts";
import { ANA, BEN, CLAUDE, CODEX, isHere, NOW, OPENCODE, RESIDENTS, YOU } from "../people.ts";
import type { DoorShown, Shown } from "../shown.ts";

const MINUTE = 60_000;

function of(resident: typeof CLAUDE, requestId: string, ask: Ask, ageS: number): Card {
  const { participantId, name } = resident;
  const openedAt = NOW - ageS * 1_000;
  return makeCard(requestId, ask, {
    resident: { participantId, name },
    openedAt,
    expiresAt: openedAt + 5 * MINUTE,
  });
}

const six = [
  of(CLAUDE, "six-1", recorded(claudeShell), 140),
  of(CODEX, "six-2", recorded(codexShell), 95),
  of(CLAUDE, "six-3", recorded(claudeEdit), 61),
  of(OPENCODE, "six-4", recorded(opencodeWrite), 33),
  of(CLAUDE, "six-5", recorded(claudePlan), 12),
  of(OPENCODE, "six-6", recorded(opencodeFetch), 4),
];

const talk: Message[] = [
  message(1, ANA, "The migration waits for codex first."),
  message(2, CLAUDE, "Understood: the tests run before I write anything."),
  message(3, BEN, "yes", CODEX.participantId),
];

function message(n: number, from: Message["from"], text: string, to?: string): Message {
  const { participantId, name, role } = from;
  return {
    messageId: `m-${n}`,
    from: { participantId, name, role },
    text,
    ...(to === undefined ? {} : { to }),
    at: NOW - (10 - n) * MINUTE,
  };
}

const settled = [
  ended(of(CODEX, "was-1", recorded(codexShell), 400), decided(STD[0])),
  ended(of(CLAUDE, "was-2", recorded(claudeShell), 500), decided(STD[2], YOU)),
];

const crowd = Array.from({ length: 40 }, (_, index) =>
  of(
    RESIDENTS[index % RESIDENTS.length] ?? CLAUDE,
    `crowd-${index}`,
    { toolCall: command(`echo ${index}`), options: STD },
    200 - index,
  ),
);

const namesakes = [CLAUDE, { ...CLAUDE, participantId: "p-7c41d0e90a18" }];

function room(
  name: string,
  says: string,
  events: Extract<Shown, { events: unknown }>["events"],
): Shown {
  return { name, says, events, isWhole: true };
}

/** The page around the cards. */
export const ROOMS: readonly Shown[] = [
  room("empty-room", "Nobody has asked yet", enter([])),
  room("empty-room-alone", "No agent is here yet", enter([], { participants: [isHere(YOU)] })),
  room("quiet-room", "Nothing waits now", enter([], { recent: settled, messages: talk })),
  room(
    "six-cards",
    "Six cards of three residents",
    enter(six, { recent: settled, messages: talk }),
  ),
  room("crowd", "Forty cards", enter(crowd)),
  room("equal-names", "Two residents by one name", [
    ...enter(
      namesakes.map((one, index) => of(one, `equal-${index}`, recorded(claudeShell), 30)),
      { participants: [isHere(YOU), ...namesakes] },
    ),
  ]),
  room("unreadable", "A card that cannot be drawn", [
    ...enter(six.slice(0, 1)),
    { type: "unreadable", requestId: "no-card" },
  ]),
  room("connecting", "Connecting for the first time", []),
  room("not-connected", "Not connected", [...enter(six.slice(0, 2), { messages: talk }), cut()]),
  room("not-connected-empty", "Not connected, and nothing was waiting", [...enter([]), cut()]),
  room("closed-empty", "The Room has ended, and nothing was waiting", [
    ...enter([]),
    { type: "connection", connection: { state: "closed", code: CLOSE.roomClosed } },
  ]),
  room("closed-room", "The Room has ended", [
    ...enter(six.slice(0, 2), { recent: settled, messages: talk }),
    { type: "connection", connection: { state: "closed", code: CLOSE.roomClosed } },
  ]),
];

function door(name: string, says: string, door: DoorShown["door"]): Shown {
  return { name, says, door };
}

/** Pages on which there is no Room; a dead key is one that was removed. */
export const DOORS: readonly Shown[] = [
  door("home", "What Handraise is", "home"),
  door("join", "The door of a Room", "join"),
  ...(Object.keys(STOPS) as StopReason[]).map((reason) =>
    door(`stop-${reason.replaceAll("_", "-")}`, `No Room here: ${reason}`, reason),
  ),
];
