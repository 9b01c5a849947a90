import { describe, expect, it } from "vitest";
import type { ResidentEvent, SettledEvent } from "../../src/resident/events.ts";
import type { RoomHandlers } from "../../src/resident/room-port.ts";
import { lineForRoom } from "../../src/resident/room-lines.ts";
import { ResidentBench } from "../support/resident-bench.ts";
import { STD } from "../support/fake-room.ts";
import type { OfferedOption, ScriptStep } from "../support/scripted-agent.ts";

const settled = (parts: Partial<SettledEvent>): ResidentEvent => ({
  type: "settled",
  requestId: "r",
  toolKind: "execute",
  offered: [],
  answeredBy: { who: "nobody" },
  outcome: { outcome: "cancelled" },
  reading: "teardown",
  reason: "expired",
  ...parts,
});

describe("what the Room hears", () => {
  it("is every end other than allow, in words that name no content", () => {
    expect(lineForRoom(settled({}))).toBe(
      "A command: expired, not run, nobody answered in time. Ask again for a new card.",
    );
    const ana = { who: "human", participantId: "p", name: "Ana" } as const;
    expect(
      lineForRoom(settled({ reading: "reject", reason: "human_refused", answeredBy: ana })),
    ).toBe("A command: not run, a person refused it (Ana). The agent was told so.");
    expect(
      lineForRoom(settled({ reading: "approve", reason: "human_allowed", answeredBy: ana })),
    ).toBeUndefined();
  });

  it("never says that somebody denied what nobody denied", () => {
    for (const reason of ["expired", "no_human", "room_unreachable", "turn_ended"] as const) {
      expect(lineForRoom(settled({ reason }))).not.toMatch(/den(?:y|ied)|refus|reject/i);
    }
  });
});

const OPTIONS = STD as OfferedOption[];
const ASK = {
  do: "ask",
  id: 0,
  toolCall: { toolCallId: "t1", kind: "execute", title: "s3cret" },
  options: OPTIONS,
} as const;
const ASKING: ScriptStep[] = [ASK, { do: "await", id: 0 }, { do: "end", stopReason: "end_turn" }];

it("a refusal is one line in the Room, an allow none", async () => {
  await using bench = new ResidentBench();
  await bench.start({ turns: [ASKING] });
  for (const option of ["allow-1", "no-2"]) {
    const turn = bench.resident.prompt("go");
    bench.room.decide(await bench.room.posts.next(), option);
    await turn;
  }
  expect(bench.room.said).toEqual([
    "A command: not run, a person refused it (Ana). The agent was told so.",
  ]);
});

describe("what an agent asks before any turn", () => {
  const asking = (id: number): ScriptStep => ({ ...ASK, id });
  const line =
    "A command: not allowed, the request or the answer to it was not in order. The output of this resident says what was wrong.";
  // The Room is joined only once the agent has all its answers.
  const joinLate = (bench: ResidentBench, asks: number) => ({
    joinRoom: async (handlers: RoomHandlers) => {
      bench.room.handlers = handlers;
      for (let n = 0; n < asks; n += 1) {
        expect((await bench.answers.next()).message).toMatchObject({
          result: { outcome: { outcome: "cancelled" } },
        });
      }
      expect(bench.room.said).toEqual([]);
      return bench.room;
    },
  });

  it("is refused in words that speak of no turn that was over, and told in the Room once there is one", async () => {
    await using bench = new ResidentBench();
    await bench.start({ opening: [asking(0)], turns: [ASKING] }, joinLate(bench, 1));
    expect(bench.events).toMatchObject([
      { type: "settled", reason: "unreadable" },
      {
        type: "diagnostic",
        text: "A permission request was not asked: it came before any turn had begun.",
      },
    ]);
    expect(bench.room.said).toEqual([line]);
    const turn = bench.resident.prompt("go");
    bench.room.decide(await bench.room.posts.next(), "allow-1");
    expect(await turn).toMatchObject({ kind: "answered" });
  });

  it("is told of in a few lines, and the rest as a number", async () => {
    await using bench = new ResidentBench();
    const opening = Array.from({ length: 30 }, (_, id) => asking(id));
    await bench.start({ opening, turns: [] }, joinLate(bench, 30));
    expect(bench.room.said).toEqual([
      ...Array.from({ length: 10 }, () => line),
      "20 more lines of this kind were left out.",
    ]);
  });
});

describe("a session that changes its mode", () => {
  const mode = (currentModeId: string, sessionId?: string): ScriptStep => ({
    do: "update",
    update: { sessionUpdate: "current_mode_update", currentModeId },
    ...(sessionId === undefined ? {} : { sessionId }),
  });
  const modes = (currentModeId: string) => ({ modes: { currentModeId, availableModes: [] } });

  it("to one that is not known to ask is told in the Room, once, without its name", async () => {
    await using bench = new ResidentBench();
    await bench.start({
      agentInfo: { name: "@agentclientprotocol/claude-agent-acp", version: "0.101.0" },
      session: modes("plan"),
      turns: [[mode("default"), mode("acceptEdits"), mode("acceptEdits"), ASKING[2] as ScriptStep]],
    });
    await bench.resident.prompt("go");
    expect(bench.room.said).toEqual(["This agent may now act without asking."]);
    expect(bench.events.filter(({ type }) => type === "may_not_ask")).toHaveLength(1);
  });

  it("is not told of where the agent has another session that changes", async () => {
    await using bench = new ResidentBench();
    await bench.start({
      session: modes("careful"),
      turns: [[mode("wild", "sub-agent"), mode("careful"), ASKING[2] as ScriptStep]],
    });
    await bench.resident.prompt("go");
    expect(bench.room.said).toEqual([]);
    expect(bench.events.map(({ type }) => type)).not.toContain("may_not_ask");
  });

  it("of an agent that nobody knows is told, too", async () => {
    await using bench = new ResidentBench();
    await bench.start({
      session: modes("careful"),
      turns: [[mode("careful"), mode("wild"), ASKING[2] as ScriptStep]],
    });
    await bench.resident.prompt("go");
    expect(bench.room.said).toEqual(["This agent may now act without asking."]);
  });
});

describe("a mode that the operator chose", () => {
  const update = (currentModeId: string) => ({
    sessionUpdate: "current_mode_update",
    currentModeId,
  });
  const session = {
    modes: {
      currentModeId: "auto",
      availableModes: [
        { id: "auto", name: "Auto" },
        { id: "ask", name: "Ask" },
      ],
    },
  };
  const choices = (mode: string) => ({ choices: { mode, config: new Map() } });

  it("is set before the Room is joined", async () => {
    await using bench = new ResidentBench();
    const order: string[] = [];
    await bench.start(
      { session, replies: { "session/set_mode": { result: {} } }, turns: [] },
      {
        ...choices("ask"),
        beforeJoin: (_info, settings) => order.push(`mode ${settings.mode}`),
        joinRoom: () => {
          order.push("join");
          return Promise.resolve(bench.room);
        },
      },
    );
    expect(order).toEqual(["mode ask", "join"]);
    expect(await bench.reports.next()).toMatchObject({
      method: "session/set_mode",
      params: { sessionId: "session-1", modeId: "ask" },
    });
  });

  it("is not set because the agent reports it of another session", async () => {
    await using bench = new ResidentBench();
    const options = (currentValue: string) => ({
      configOptions: [
        {
          id: "mode",
          name: "Mode",
          category: "mode",
          type: "select",
          currentValue,
          options: ["auto", "ask"].map((value) => ({ value, name: value })),
        },
      ],
    });
    const update = { sessionUpdate: "config_option_update", ...options("ask") };
    const first: ScriptStep[] = [{ do: "update", update, sessionId: "other" }];
    const start = bench.start(
      {
        session: options("auto"),
        replies: { "session/set_config_option": { result: {}, first } },
        turns: [],
      },
      choices("ask"),
    );
    await expect(start).rejects.toThrow('did not set mode to "ask": it reports "auto"');
    expect(bench.room.handlers).toBeUndefined();
  });

  it("is waited for only once the session is open, and the Room only once it is set", async () => {
    await using bench = new ResidentBench();
    const order: string[] = [];
    await bench.start(
      { session, replies: { "session/set_mode": { result: {} } }, turns: [] },
      {
        ...choices("ask"),
        onOpened: () => order.push("opened"),
        beforeJoin: (_info, { mode }) => order.push(`mode ${mode}`),
        joinRoom: () => {
          order.push("join");
          return Promise.resolve(bench.room);
        },
      },
    );
    expect(order).toEqual(["opened", "mode ask", "join"]);
  });

  it.each([
    ["that the agent does not offer", "nope", { result: {} }, 'It offers: "auto", "ask"'],
    [
      "that the agent refuses",
      "ask",
      { error: { code: -32602, message: "no" } },
      "The agent refused session/set_mode: no",
    ],
    [
      "that the agent does not report while it sets it",
      "ask",
      { result: {}, first: [{ do: "update" as const, update: update("auto") }] },
      'it reports "auto"',
    ],
    [
      "that the agent takes back with its answer",
      "ask",
      { result: {}, updateAfter: update("auto") },
      'it reports "auto"',
    ],
  ])("%s keeps it from joining", async (_, mode, reply, text) => {
    await using bench = new ResidentBench();
    let joined = false;
    const start = bench.start(
      { session, replies: { "session/set_mode": reply }, turns: [] },
      {
        ...choices(mode),
        joinRoom: () => {
          joined = true;
          return Promise.resolve(bench.room);
        },
      },
    );
    await expect(start).rejects.toThrow(text);
    expect(joined).toBe(false);
  });

  /** A resident whose agent changes its mode while the Room is being joined. */
  const startChanging = async (
    bench: ResidentBench,
    joining: (change: () => void, stillSet: () => void) => void,
    turns: ScriptStep[][] = [],
  ): Promise<void> => {
    let change = (): void => undefined;
    await bench.start(
      { session, replies: { "session/set_mode": { result: {} } }, turns },
      {
        ...choices("ask"),
        beforeJoin: (_info, settings) => {
          change = () => settings.note(update("auto"));
        },
        joinRoom: async (_handlers, _talk, stillSet) => {
          joining(change, stillSet);
          return bench.room;
        },
      },
    );
  };

  it("can be checked again at the last moment before the Room is joined", async () => {
    await using bench = new ResidentBench();
    const start = startChanging(bench, (change, stillSet) => {
      expect(stillSet).not.toThrow();
      change();
      stillSet();
    });
    await expect(start).rejects.toThrow('did not set mode to "ask": it reports "auto"');
  });

  it("that changes while the Room is joined is told there", async () => {
    await using bench = new ResidentBench();
    await startChanging(bench, (change) => change());
    expect(bench.room.said).toEqual(["This agent may now act without asking."]);
  });

  it("is not told of when the session comes back to it", async () => {
    await using bench = new ResidentBench();
    const back: ScriptStep[] = ["auto", "ask"].map((mode) => ({
      do: "update",
      update: update(mode),
    }));
    await startChanging(bench, () => undefined, [[...back, ASKING[2] as ScriptStep]]);
    await bench.resident.prompt("go");
    expect(bench.room.said).toEqual(["This agent may now act without asking."]);
  });
});
