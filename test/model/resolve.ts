import type { PermissionOption } from "../../src/protocol/index.ts";
import {
  byCall,
  choose,
  find,
  freshId,
  member,
  MORE,
  one,
  OPTIONS,
  pick,
  reason,
  sent,
  target,
  TIMES,
  wayOf,
} from "./choices.ts";
import type { AskCommand, Command, OnCard, Scenario, Way } from "./commands.ts";
import type { Call, Process, Scene, Step } from "./scene.ts";
import { type Ask, isHuman, type Op, type Who } from "./shapes.ts";

/** What a command comes to when its turn comes; undefined where there is nothing for it to do. */
export function resolveCommand(
  scene: Scene,
  command: Exclude<Command, Scenario>,
): Step | undefined {
  const { model } = scene;
  const human = "who" in command ? member(scene.humans, command.who) : "";
  const resident = "who" in command ? member(scene.residents, command.who) : "";
  const who = "isHuman" in command && command.isHuman ? human : resident;
  switch (command.kind) {
    case "ask":
      return resolveAsk(scene, command, resident);
    case "decide": {
      const card = find(model, command);
      if (card === undefined) return undefined;
      const optionId = choose(card, command.choice);
      return sent(scene, command, {
        who: human,
        do: "decide",
        requestId: card.requestId,
        optionId,
      });
    }
    case "dismiss": {
      const card = find(model, command);
      return card && sent(scene, command, { who: human, do: "dismiss", requestId: card.requestId });
    }
    case "extend": {
      const card = find(model, command);
      if (card === undefined) return undefined;
      const seen = command.isStale ? card.openedAt : card.expiresAt;
      return sent(scene, command, { who: human, do: "extend", requestId: card.requestId, seen });
    }
    case "withdraw": {
      const card = find(model, command, resident);
      if (card === undefined) return undefined;
      const { requestId } = card;
      return sent(scene, command, {
        who: resident,
        do: "withdraw",
        requestId,
        reason: reason(command.reason),
      });
    }
    case "ack": {
      const card = find(model, command, resident);
      if (card === undefined) return undefined;
      const { requestId } = card;
      return sent(scene, command, {
        who: resident,
        do: "ack",
        requestId,
        applied: command.applied,
      });
    }
    case "ackNext": {
      const told = scene.processes.get(resident)?.inbox[0];
      return (
        told && one({ who: resident, do: "ack", ...told }, ...wayOf(scene, resident, command.way))
      );
    }
    case "lose": {
      const process = scene.processes.get(resident) as Process;
      process.inbox = [];
      return undefined;
    }
    case "status": {
      const card = find(model, command, command.isHuman ? undefined : resident);
      return card && one({ who, do: "status", requestId: card.requestId }, ...byCall(command.way));
    }
    case "foreign": {
      const owner = member(scene.residents, command.who + 1);
      const card = owner === resident ? undefined : find(model, command, owner);
      if (card === undefined) return undefined;
      const { requestId } = card;
      const what = (["status", "ack", "withdraw"] as const)[command.what % 3] ?? "status";
      const op: Op = { who: resident, do: what, requestId, applied: true, reason: reason(0) } as Op;
      return one(
        op,
        ...(what === "status" ? byCall(command.way) : wayOf(scene, resident, command.way)),
      );
    }
    case "usurp":
      return resolveUsurp(scene, command, who);
    case "resume": {
      if (model.people.get(resident)?.sockets !== 1) return undefined;
      const ids = [...model.cards.keys(), `nobody-${command.parked}`];
      const chosen = (bits: number): string[] => ids.filter((_, n) => (bits >> (n % 8)) % 2 === 1);
      const answered = chosen(command.answered).map((id): [string, boolean] => [
        id,
        command.applied,
      ]);
      const op: Op = { who: resident, do: "resume", parked: chosen(command.parked), answered };
      return { calls: [{ op, via: "socket" }], isBroken: command.isBroken };
    }
    case "connect":
      if (isHuman(who) && (model.people.get(who)?.sockets ?? 0) > 2) return undefined;
      return one({ who, do: "connect" }, "http");
    case "disconnect":
      return model.people.get(who)?.sockets ? one({ who, do: "disconnect" }, "http") : undefined;
    case "view":
      return one({ who, do: "view" }, ...byCall(command.way));
    case "say":
      return model.people.get(who)?.sockets ? one({ who, do: "say" }, "socket") : undefined;
    case "history":
      return one({ who: human, do: "history" }, ...byCall(command.way));
    case "race":
      return resolveRace(scene, command);
    case "advance": {
      const to = target(model, command.target, command.n) + command.by;
      if (to > model.now) return one({ who: "", do: "advance", to }, "http");
      return one({ who: "", do: "advance", to: model.now + 1 + (command.n % 4) * 7000 }, "http");
    }
    case "alarm": {
      const alarm: Call = { op: { who: "", do: "alarm" }, via: "http" };
      const calls = command.times === 1 ? [alarm] : [alarm, { ...alarm }];
      return { calls, isOrdered: true, isBroken: command.isBroken };
    }
    case "evict":
      return one({ who: "", do: "evict", cut: command.isCut }, "http");
    case "leave": {
      const remover = scene.humans.find((human) => human !== who) ?? "";
      if (!command.isRemoved) return one({ who, do: "leave" }, "http");
      return one({ who: remover, do: "remove", target: who }, "http");
    }
  }
}

export function resolveAsk(scene: Scene, command: AskCommand, resident: Who): Step | undefined {
  const { model } = scene;
  const { again, n } = command;
  const owner = again === "foreign" ? undefined : resident;
  const known = again === "no" ? undefined : find(model, { card: n, among: "any" }, owner);
  const stones = [...model.stones.keys()].filter(
    (id) => !model.cards.has(id) && id.startsWith(`card-${resident}-`),
  );
  const stone = pick(stones, n);
  const requestId =
    known?.requestId ?? (n % 3 === 0 ? stone : undefined) ?? freshId(model, resident);
  if (requestId === undefined) return undefined;
  const title = again === "changed" && known ? `${known.title}!` : (known?.title ?? `run ${n}`);
  const ask: Ask = {
    do: "request",
    requestId,
    title,
    options: known?.options ?? (OPTIONS[command.options] as PermissionOption[]),
    expiresInMs: TIMES[command.time] as number,
    maxExpiresInMs: MORE[command.more],
    ifNoHuman: command.ifNoHuman,
  };
  const [via, isDirect] = wayOf(scene, resident, command.way);
  return {
    calls: [{ op: { who: resident, ...ask }, via, isDirect }],
    isBroken: command.isBroken && via === "socket",
  };
}

function resolveUsurp(
  scene: Scene,
  command: OnCard & { what: number; way: Way },
  who: Who,
): Step | undefined {
  const card = find(scene.model, command);
  if (card === undefined) return undefined;
  const { requestId, options, expiresAt } = card;
  const optionId = choose(card, 0);
  const ops: Op[] = isHuman(who)
    ? [
        { who, do: "ack", requestId, applied: true },
        { who, do: "withdraw", requestId, reason: reason(0) },
        {
          who,
          do: "request",
          requestId: "usurped-1",
          title: "x",
          options,
          expiresInMs: 60_000,
          ifNoHuman: "wait",
        },
      ]
    : [
        { who, do: "decide", requestId, optionId },
        { who, do: "decide", requestId, optionId },
        { who, do: "dismiss", requestId },
        { who, do: "extend", requestId, seen: expiresAt },
        { who, do: "history" },
        { who, do: "remove", target: "h0" },
        { who, do: "close" },
      ];
  const op = pick(ops, command.what) as Op;
  const isCallOnly = op.do === "history" || op.do === "remove" || op.do === "close";
  const [via, isDirect] = isCallOnly ? byCall(command.way) : wayOf(scene, who, command.way);
  return { calls: [{ op, via, isDirect, isUsurping: true }] };
}

export function resolveStale(
  scene: Scene,
  command: OnCard & { what: number },
  who: Who,
): Step | undefined {
  const card = find(scene.model, command, isHuman(who) ? undefined : who);
  if (card === undefined) return undefined;
  const { requestId } = card;
  const ops: Op[] = isHuman(who)
    ? [
        { who, do: "decide", requestId, optionId: choose(card, 0) },
        { who, do: "dismiss", requestId },
      ]
    : [
        { who, do: "ack", requestId, applied: command.card % 2 === 0 },
        { who, do: "withdraw", requestId, reason: reason(1) },
        { who, do: "ack", requestId, applied: true },
        { who, do: "resume", parked: [], answered: [] },
      ];
  return one(pick(ops, command.what) as Op, "stale");
}

function resolveRace(scene: Scene, command: Extract<Command, { kind: "race" }>): Step | undefined {
  const card = find(scene.model, command);
  if (card === undefined) return undefined;
  const { requestId, owner, expiresAt } = card;
  const calls = new Map<Who, Call>();
  for (const { who: n, isHuman, what, choice, way } of command.acts) {
    const who = isHuman || calls.has(owner) ? member(scene.humans, n) : owner;
    const ops: Op[] =
      who === owner
        ? [
            { who, do: "withdraw", requestId, reason: reason(choice) },
            { who, do: "ack", requestId, applied: choice % 2 === 0 },
            { who, do: "status", requestId },
          ]
        : [
            { who, do: "decide", requestId, optionId: choose(card, choice) },
            { who, do: "decide", requestId, optionId: choose(card, choice) },
            { who, do: "dismiss", requestId },
            { who, do: "extend", requestId, seen: expiresAt },
          ];
    const op = pick(ops, what) as Op;
    const [via, isDirect] = op.do === "status" ? byCall(way) : wayOf(scene, who, way);
    calls.set(who, { op, via, isDirect });
  }
  return { calls: [...calls.values()] };
}
