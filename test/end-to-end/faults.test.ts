import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from "vitest";
import { createRoom, joinRoom } from "../../src/client/index.ts";
import type { RoomCreated } from "../../src/protocol/index.ts";
import { describeEvent } from "../../src/resident/events.ts";
import { RoomLink } from "../../src/resident/room-link.ts";
import { type Fault, FaultLine } from "../support/fault-line.ts";
import { STD } from "../support/fake-room.ts";
import { LiveMember } from "../support/live-member.ts";
import { LiveServer } from "../support/live-server.ts";
import { ResidentBench } from "../support/resident-bench.ts";
import type { OfferedOption, ScriptStep } from "../support/scripted-agent.ts";

const server = new LiveServer();
let room: RoomCreated;
let ana: LiveMember;
let line: FaultLine;
beforeAll(() => server.start());
afterAll(() => server.end());
beforeEach(async () => {
  room = await createRoom({ server: server.url }, {});
  ana = await LiveMember.join(server.url, room.humanInvite, "Ana");
  await ana.connect();
  line = new FaultLine(server.url);
  await line.open();
});
afterEach(async () => {
  ana.disconnect();
  await line.close();
});

const ask = (id: number): ScriptStep[] => [
  {
    do: "ask",
    id,
    toolCall: { toolCallId: `t${id}`, kind: "execute", title: "x".repeat(20_000) },
    options: STD as OfferedOption[],
  },
  { do: "await", id },
];

/** A resident whose line to the Room runs through the faults, told by `held` that the fault was met. */
async function startResident(bench: ResidentBench, turns: ScriptStep[][]): Promise<void> {
  const { token } = await joinRoom({ server: server.url }, room.residentInvite, { name: "Bot" });
  await bench.start(
    { turns },
    {
      joinRoom: async (handlers, talk) =>
        RoomLink.connect(
          { server: line.url, token },
          handlers,
          (event) => bench.events.push(event),
          talk,
        ),
    },
  );
}

async function untilUnreachable(bench: ResidentBench): Promise<void> {
  const isThere = () => bench.events.some(({ type }) => type === "room_unreachable");
  for (let tries = 0; !isThere(); tries += 1) {
    if (tries > 1_500) throw new Error("the fault was never met");
    await new Promise<void>((resolve) => setTimeout(resolve, 20));
  }
}

const END: ScriptStep = { do: "end", stopReason: "end_turn" };

describe("between a resident and its Room, a line that is", () => {
  const FAULTS: Fault[] = ["refused", "reset", "hanging", "500", "html_404", "slow", "cut"];

  it.each(FAULTS)(
    "%s when the question is asked loses nothing and answers once",
    { timeout: 90_000 },
    async (fault) => {
      await using bench = new ResidentBench();
      await startResident(bench, [[...ask(0), ...ask(1), END]]);
      await line.become(fault);
      const turn = bench.resident.prompt("go");
      if (fault !== "slow") {
        await untilUnreachable(bench);
        await line.become("none");
      }
      for (const optionId of ["no-2", "allow-1"]) {
        const { card } = await ana.next("card_opened");
        await ana.send({ type: "decide", requestId: card.requestId, optionId });
        await ana.next("card_delivery", ({ delivery }) => delivery.state === "applied");
      }
      expect(await turn).toMatchObject({ kind: "answered", stopReason: "end_turn" });
      expect(bench.ran).toBe("1 allow-1\n");
      expect(bench.answers.drain()).toHaveLength(2);
      expect(bench.reasons()).toEqual(["human_refused", "human_allowed"]);
      const said = bench.events.map((event) => describeEvent(event) ?? "").join("\n");
      expect(said).not.toMatch(/den(?:y|ied)/i);
      expect(ana.count("card_opened")).toBe(0);
    },
  );

  it.each(FAULTS.filter((fault) => fault !== "slow"))(
    "%s when the answer comes brings it later, once",
    { timeout: 90_000 },
    async (fault) => {
      await using bench = new ResidentBench();
      await startResident(bench, [[...ask(0), END]]);
      const turn = bench.resident.prompt("go");
      const { card } = await ana.next("card_opened");
      await line.become(fault);
      await ana.send({ type: "decide", requestId: card.requestId, optionId: "allow-1" });
      await untilUnreachable(bench);
      await line.become("none");
      expect(await turn).toMatchObject({ kind: "answered", stopReason: "end_turn" });
      expect(bench.ran).toBe("0 allow-1\n");
      await ana.next("card_delivery", ({ delivery }) => delivery.state === "applied");
      expect(bench.answers.drain()).toHaveLength(1);
    },
  );
});
