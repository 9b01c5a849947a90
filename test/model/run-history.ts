import { vi } from "vitest";
import type { Command, Setup } from "./commands.ts";
import { compare, type Expected } from "./compare.ts";
import { countStep } from "./count-step.ts";
import type { Counts } from "./counts.ts";
import { hear, type Observation, sightings } from "./observation.ts";
import { forkModel, predict, startModel } from "./prediction.ts";
import { RealRoom, type Stored } from "./real-room.ts";
import type { ReferenceModel } from "./reference-model.ts";
import { resolve } from "./scenarios.ts";
import type { Call, Process, Scene, Step } from "./scene.ts";
import { Rules } from "./rules.ts";
import { isHuman, type Op, type Who } from "./shapes.ts";

/** Real alarms keep to real time: what a history sets lies beyond what it takes. */
const AHEAD_MS = 3_600_000;
const HEARD_EVERY_MS = 60_000;

/** A history that the Room did not follow. The message tells it step by step. */
export class HistoryError extends Error {
  readonly steps: number;

  constructor(message: string, steps: number) {
    super(message);
    this.steps = steps;
  }
}

/**
 * Runs one history in a fresh Room, step by step beside the model.
 * @returns how many commands did something. @throws HistoryError at the first difference.
 */
export async function runHistory(
  [setup, commands]: readonly [Setup, readonly Command[]],
  counts: Counts,
): Promise<number> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + AHEAD_MS });
  const history = new History(setup, counts);
  try {
    await history.start();
    let done = 0;
    for (const command of commands) if (await history.run(command)) done += 1;
    await history.end();
    return done;
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new HistoryError([...history.log, fault].join("\n"), history.log.length);
  } finally {
    await history.cleanUp();
    vi.useRealTimers();
  }
}

class History implements Scene {
  readonly log: string[] = [];
  readonly humans: readonly Who[];
  readonly residents: readonly Who[];
  readonly processes: ReadonlyMap<Who, Process>;
  model: ReferenceModel;
  readonly #rules = new Rules();
  readonly #counts: Counts;
  readonly #startedAt = Date.now();
  #room: RealRoom | undefined;
  #isOver = false;
  #isClosing = false;
  #stored: Stored = { rows: [], alarm: null };

  constructor({ humans, residents }: Setup, counts: Counts) {
    this.humans = ["h0", "h1", "h2"].slice(0, humans);
    this.residents = ["r0", "r1", "r2"].slice(0, residents);
    this.processes = new Map(
      this.residents.map((who) => [who, { parked: new Set(), inbox: [], answered: new Map() }]),
    );
    this.model = startModel(this.#startedAt, [...this.humans, ...this.residents]);
    this.#counts = counts;
  }

  isStale(who: Who): boolean {
    return this.#room?.hasStale(who) === true;
  }

  async start(): Promise<void> {
    this.#room = await RealRoom.create([...this.humans, ...this.residents]);
  }

  /** @returns whether there was anything for it to do. */
  async run(command: Command): Promise<boolean> {
    let isDone = false;
    for (const next of resolve(this, command)) {
      const step = next();
      if (step === undefined) continue;
      isDone = true;
      await this.#do(step);
    }
    if (isDone || command.kind === "lose") this.#counts.add(`command: ${command.kind}`);
    return isDone;
  }

  /** Every history ends with the end of its Room, by whoever is still there. */
  async end(): Promise<void> {
    const who = this.humans.find((one) => this.model.people.has(one));
    if (who === undefined) return;
    await this.#do({ calls: [{ op: { who, do: "close" }, via: "http", isDirect: true }] });
  }

  async cleanUp(): Promise<void> {
    if (!this.#isOver) await this.#room?.delete();
  }

  async #do(step: Step): Promise<void> {
    const { calls } = step;
    this.log.push(describe(step, this.model.now - this.#startedAt));
    const before = forkModel(this.model);
    for (const { op } of calls) this.#rules.noteSent(op);
    const observation = await this.#perform(step);
    const orders = step.isOrdered === true ? [calls] : permutations(calls);
    const attempts = orders.map((order) => {
      const model = forkModel(before);
      const expected = order.map((call): Expected => {
        const prediction = predict(model, call.op, call.via, step.isBroken);
        return { call, prediction, answer: observation.answers[calls.indexOf(call)] };
      });
      return { model, expected, differences: compare(model, expected, observation, this.#isOver) };
    });
    const match = attempts.find(({ differences }) => differences.length === 0);
    this.#judge(calls, observation);
    if (match === undefined) throw new Error(attempts[0]?.differences.join("\n"));
    this.model = match.model;
    this.#note(match.expected, observation);
    countStep(this.#counts, step, before, match.model, match.expected, observation);
  }

  /** Makes the calls, and waits until everybody has received what they caused. */
  async #perform({ calls, isOrdered = false, isBroken = false }: Step): Promise<Observation> {
    const room = this.#room as RealRoom;
    const open = [...room.clients].flatMap(([who, clients]) =>
      clients.map((client) => ({ who, client })),
    );
    const [op] = calls.map((call) => call.op);
    if (op?.do === "advance") await this.#advance(op.to);
    if (isBroken) await room.breakWrites(true);
    const answers = op?.do === "advance" ? [] : await room.perform(calls, isOrdered);
    if (isBroken) await room.breakWrites(false);
    const isDone = answers[0] === undefined || answers[0].code === "ok";
    if (op !== undefined && isDone) await this.#expectClosing(op);
    this.#isOver = op?.do === "close" && isDone;
    if (!this.#isOver) this.#stored = await room.observe();
    const heard = open.map(({ who, client }) => hear(who, client));
    for (const [who, clients] of room.clients) {
      const fresh = clients.filter((client) => open.every((one) => one.client !== client));
      for (const client of fresh) heard.push({ ...hear(who, client), isNew: true });
    }
    if (op?.do === "advance" || op?.do === "evict") await room.touch();
    return { answers, heard, stored: this.#stored };
  }

  /**
   * The clock goes on. Where sockets were closed their end may still be on its way to the Room, which then looks who is here: it
   * must find the others as fresh as living clients are.
   */
  async #advance(to: number): Promise<void> {
    const first = this.#isClosing ? Date.now() + HEARD_EVERY_MS : to;
    this.#isClosing = false;
    for (let at = first; at < to; at += HEARD_EVERY_MS) {
      vi.setSystemTime(at);
      await this.#room?.touch();
    }
    vi.setSystemTime(to);
  }

  /** Sockets that the Room has to close now, each with its code. */
  async #expectClosing(op: Op): Promise<void> {
    const { clients } = this.#room as RealRoom;
    const close = async (who: Who, kept: number, code?: number): Promise<void> => {
      const all = clients.get(who) ?? [];
      for (const client of all.splice(0, all.length - kept)) {
        this.#isClosing = true;
        const got = await client.closed();
        if (code !== undefined && got !== code)
          throw new Error(`${who}: closed ${got}, not ${code}`);
      }
    };
    if (op.do === "connect" && !isHuman(op.who)) await close(op.who, 1, 4000);
    if (op.do === "leave") await close(op.who, 0, 4003);
    if (op.do === "remove") await close(op.target, 0, 4003);
    if (op.do === "close") for (const who of clients.keys()) await close(who, 0, 4001);
    if (op.do === "evict" && op.cut) for (const who of clients.keys()) await close(who, 0);
  }

  /** The rules that must always hold, whatever the model says. */
  #judge(calls: readonly Call[], observation: Observation): void {
    const { answers, heard, stored } = observation;
    for (const [n, answer] of answers.entries()) {
      const op = calls[n]?.op;
      const isTaken = answer?.code === "ok" || answer?.code === "created";
      // A request that was withdrawn before it came opens no card: what it offered binds nobody.
      const hasCard = (id: string): boolean => stored.rows.some((row) => row.requestId === id);
      if (isTaken && op?.do === "request" && hasCard(op.requestId)) this.#rules.noteTaken(op);
    }
    for (const seen of sightings(observation)) {
      // A withdrawal that came before its request ends no card.
      const isCard = stored.rows.some(({ requestId }) => requestId === seen.requestId);
      if (isCard || seen.settlement?.state !== "withdrawn") this.#rules.see(seen);
    }
    if (!this.#isOver) this.#rules.seeStored(stored.rows, Date.now());
    const [only] = calls;
    for (const { who, texts, frames } of heard) {
      if (isHuman(who)) continue;
      const named = calls
        .filter(({ op }) => op.who === who)
        .map(({ op }) => ("requestId" in op ? op.requestId : ""));
      for (const [n, text] of texts.entries()) {
        const isAnswer = frames[n]?.ref !== undefined;
        this.#rules.seeAtResident(who, text, isAnswer ? named : []);
      }
    }
    for (const [n, answer] of answers.entries()) {
      const op = calls[n]?.op;
      if (op === undefined || answer === undefined || isHuman(op.who)) continue;
      this.#rules.seeAtResident(op.who, answer.text, "requestId" in op ? [op.requestId] : []);
    }
    if (calls.length === 1 && only?.via === "socket") {
      const mine = heard.filter(({ who }) => who === only.op.who).at(-1)?.frames ?? [];
      const [first] = mine.filter(({ type }) => type !== "participant_changed");
      const isFirst = first?.type === "accepted" || first?.type === "rejected";
      if (!isFirst) this.#rules.broken.push(`a frame came before the answer: ${first?.type}`);
    }
    const [broken] = this.#rules.broken;
    if (broken !== undefined) throw new Error(`RULE BROKEN ${broken}`);
  }

  /** What the residents' processes make of it. */
  #note(expected: readonly Expected[], { heard }: Observation): void {
    for (const { call, answer } of expected) {
      const { op, via } = call;
      const process = this.processes.get(op.who);
      if (process === undefined) continue;
      const isDone = answer?.code === "ok" || answer?.code === "created";
      if (op.do === "request" && isDone && answer.body["settlement"] === undefined) {
        process.parked.add(op.requestId);
      }
      if (op.do === "withdraw") process.parked.delete(op.requestId);
      if (op.do === "resume") process.answered.clear();
      if (op.do !== "ack" || (!isDone && via !== "stale")) continue;
      process.parked.delete(op.requestId);
      process.inbox = process.inbox.filter(({ requestId }) => requestId !== op.requestId);
      if (via === "stale") process.answered.set(op.requestId, op.applied);
    }
    for (const { who, frames } of heard) {
      const process = this.processes.get(who);
      for (const frame of frames) {
        if (frame.type !== "decision" || process === undefined) continue;
        const requestId = String(frame["requestId"]);
        process.inbox.push({ requestId, applied: process.parked.has(requestId) });
      }
    }
  }
}

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length <= 1) return [[...list]];
  return list.flatMap((first, n) =>
    permutations(list.filter((_, m) => m !== n)).map((rest) => [first, ...rest]),
  );
}

function describe({ calls, isBroken = false, isOrdered = false }: Step, at: number): string {
  const texts = calls.map(({ op, via, isDirect = false, isUsurping = false }) => {
    const { who, do: what, ...rest } = op;
    const how =
      via === "http"
        ? isDirect
          ? "directly"
          : "over HTTP"
        : `on a ${via}`.replace("a socket", "its socket");
    const shown =
      "options" in rest ? { ...rest, options: rest.options.map(({ optionId }) => optionId) } : rest;
    const lie = isUsurping ? ", claiming the other role" : "";
    return who === ""
      ? `${what} ${JSON.stringify(rest)}`
      : `${who} ${what} ${JSON.stringify(shown)} ${how}${lie}`;
  });
  const link = isOrdered ? ", and at once " : " while ";
  return `+${(at / 1000).toFixed(3)}s  ${texts.join(link)}${isBroken ? ", with no card writable" : ""}`;
}
