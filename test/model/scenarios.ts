import {
  RESIDENT_WITHDRAW_REASONS,
  type ResidentWithdrawReason,
  type WithdrawReason,
} from "../../src/protocol/index.ts";
import { choose, freshId, member, one, pick, reason, STANDARD, wayOf } from "./choices.ts";
import type { AskCommand, Command, EarlyWithdrawal, Way } from "./commands.ts";
import { resolveAsk, resolveCommand, resolveStale } from "./resolve.ts";
import type { Process, Scene, Step } from "./scene.ts";
import { type Ask, isHuman, type ModelCard, type Op, type Who } from "./shapes.ts";

type Next = () => Step | undefined;

/** The steps that a command comes to, each resolved when its turn comes. Most are one; some cases need several to be met at all. */
export function resolve(scene: Scene, command: Command): Next[] {
  switch (command.kind) {
    case "comeBack":
      return comeBack(scene, member(scene.residents, command.who), command.isRestarted);
    case "nobodyHere":
      return leaveEmpty(scene, command);
    case "withdrawEarly":
      return overtake(scene, command);
    case "stale": {
      const who = member(command.isHuman ? scene.humans : scene.residents, command.who);
      const speak: Next = () =>
        scene.isStale(who) ? resolveStale(scene, command, who) : undefined;
      return [...spoil(scene, who), () => decideFor(scene, who), speak];
    }
    case "again":
      return [() => repeat(scene, command)];
    case "atDeadline":
      return decideAtDeadline(scene, command);
    default:
      return [() => resolveCommand(scene, command)];
  }
}

/** As a real process does it: a new socket, then `resume`, with the acknowledgements that got lost. */
function comeBack(scene: Scene, who: Who, isRestarted: boolean): Next[] {
  const process = scene.processes.get(who) as Process;
  const nothing: Process = { parked: new Set(), inbox: [], answered: new Map() };
  return [
    () => {
      if (isRestarted) Object.assign(process, nothing);
      return one({ who, do: "connect" }, "http");
    },
    () => {
      if (scene.model.people.get(who)?.sockets !== 1) return undefined;
      const [parked, answered] = [[...process.parked], [...process.answered]];
      return one({ who, do: "resume", parked, answered }, "socket");
    },
  ];
}

/** Every human goes, or has the socket cut; a minute later a resident asks that does not want to wait in an empty Room. */
function leaveEmpty(scene: Scene, command: Extract<Command, { kind: "nobodyHere" }>): Next[] {
  const { isCut, isBack, way } = command;
  const who = member(scene.residents, command.who);
  const go = scene.humans.flatMap((human) =>
    [0, 1, 2].map((): Next => () => {
      const isOpen = (scene.model.people.get(human)?.sockets ?? 0) > 0;
      return isOpen ? one({ who: human, do: "disconnect" }, "http") : undefined;
    }),
  );
  const wait = (ms: number): Step =>
    one({ who: "", do: "advance", to: scene.model.now + ms }, "http");
  const asked: AskCommand = {
    kind: "ask",
    who: command.who,
    again: "no",
    n: 1,
    options: 0,
    time: 1,
    more: 0,
    ifNoHuman: "withdraw",
    way,
    isBroken: false,
  };
  return [
    ...(isCut ? [() => one({ who: "", do: "evict", cut: true }, "http")] : go),
    () => wait(61_000),
    () => resolveAsk(scene, asked, who),
    () =>
      isBack ? one({ who: member(scene.humans, command.who), do: "connect" }, "http") : undefined,
    () => wait(10_000),
    () => one({ who: "", do: "alarm" }, "http"),
  ];
}

/** A withdrawal of a request that has not come yet; and then perhaps the request. */
function overtake(scene: Scene, command: EarlyWithdrawal): Next[] {
  const who = member(scene.residents, command.who);
  const owner = command.isForeign ? member(scene.residents, command.who + 1) : who;
  const way = (by: Who): ReturnType<typeof wayOf> => wayOf(scene, by, command.way);
  let requestId: string | undefined;
  return [
    () => {
      requestId = freshId(scene.model, owner);
      if (requestId === undefined) return undefined;
      return one({ who, do: "withdraw", requestId, reason: reason(command.reason) }, ...way(who));
    },
    () => {
      if (!command.isFollowed || requestId === undefined) return undefined;
      const ask: Ask = {
        do: "request",
        requestId,
        title: "late",
        options: STANDARD,
        expiresInMs: 60_000,
        ifNoHuman: "wait",
      };
      return one({ who: owner, ...ask }, ...way(owner));
    },
  ];
}

/** Makes sure that the Room has done with a socket of somebody's. */
function spoil(scene: Scene, who: Who): Next[] {
  const isReady = (): boolean => scene.isStale(who);
  const connect: Next = () => (isReady() ? undefined : one({ who, do: "connect" }, "http"));
  const isOpen = (): boolean => (scene.model.people.get(who)?.sockets ?? 0) > 0;
  const disconnect: Next = () =>
    isReady() || !isOpen() ? undefined : one({ who, do: "disconnect" }, "http");
  return isHuman(who) ? [connect, disconnect] : [connect, connect];
}

/** Gives a connected resident a decision to acknowledge, if it has none. */
function decideFor(scene: Scene, owner: Who): Step | undefined {
  const cards = [...scene.model.cards.values()].filter((card) => card.owner === owner);
  if (isHuman(owner) || cards.some(({ delivery }) => delivery.state === "sent")) return undefined;
  const card = cards.find(({ settlement }) => settlement === undefined);
  const [option] = card?.options ?? [];
  if (card === undefined || option === undefined) return undefined;
  const who = scene.humans[0] as Who;
  const { requestId } = card;
  return one({ who, do: "decide", requestId, optionId: option.optionId }, "http", true);
}

/** The clock stops just before, at or just after a deadline; then somebody presses. */
function decideAtDeadline(scene: Scene, command: Extract<Command, { kind: "atDeadline" }>): Next[] {
  const who = member(scene.humans, command.who);
  let card: ModelCard | undefined;
  return [
    () => {
      const pending = [...scene.model.cards.values()].filter(({ settlement }) => !settlement);
      card = pick(pending, command.n);
      const to = (card?.expiresAt ?? 0) + command.by;
      return to > scene.model.now ? one({ who: "", do: "advance", to }, "http") : undefined;
    },
    () => {
      if (card === undefined) return undefined;
      const { requestId, expiresAt: seen } = card;
      const how = wayOf(scene, who, command.way);
      if (command.choice === 0) return one({ who, do: "dismiss", requestId }, ...how);
      if (command.choice === 1) return one({ who, do: "extend", requestId, seen }, ...how);
      const optionId = choose(card, command.choice);
      return one({ who, do: "decide", requestId, optionId }, ...how);
    },
  ];
}

/** What ended a card, once more, by whoever did it. */
function repeat(scene: Scene, { n, way }: { n: number; way: Way }): Step | undefined {
  const cards = [...scene.model.cards.values()].filter(
    ({ settlement }) => settlement !== undefined && settlement.state !== "expired",
  );
  const withdrawn = cards.filter(({ settlement }) => settlement?.state === "withdrawn");
  const card = pick(n < 4 && withdrawn.length > 0 ? withdrawn : cards, n);
  if (card?.settlement === undefined) return undefined;
  const { requestId, settlement, owner } = card;
  const op: Op | undefined =
    settlement.state === "decided"
      ? { who: settlement.by.name, do: "decide", requestId, optionId: settlement.option.optionId }
      : settlement.state === "dismissed"
        ? { who: settlement.by.name, do: "dismiss", requestId }
        : settlement.state === "withdrawn" && isResidentReason(settlement.reason)
          ? { who: owner, do: "withdraw", requestId, reason: settlement.reason }
          : undefined;
  return op && one(op, ...wayOf(scene, op.who, way));
}

function isResidentReason(reason: WithdrawReason): reason is ResidentWithdrawReason {
  return RESIDENT_WITHDRAW_REASONS.some((one) => one === reason);
}
