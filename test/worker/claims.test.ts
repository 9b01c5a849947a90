import { beforeEach, describe, expect, it } from "vitest";
import page from "../../docs/permissions.md?raw";
import { limits } from "../../src/protocol/index.ts";
import { stopClock } from "../support/workerd/clock.ts";
import { openRaw } from "../support/workerd/raw-socket.ts";
import {
  ask,
  call,
  createRoom,
  freshId,
  type Member,
  post,
  type Reply,
  STD,
  statusAs,
  type TestRoom,
  withdrawAs,
} from "../support/workerd/room.ts";
import { dumpRoom } from "../support/workerd/storage.ts";

// What docs/permissions.md promises, and each promise held to. A test is named by the sentence that it holds.

const said = page.replaceAll(/[*`]|^- /gm, "").replaceAll(/\s+/g, " ");

beforeEach(({ task }) => {
  if (!said.includes(task.name)) throw new Error("the page does not say so any more");
});

interface Scene {
  room: TestRoom;
  ana: Member;
  claude: Member;
}

async function anaAndClaude(): Promise<Scene> {
  const room = await createRoom();
  return { room, ana: await room.human("Ana"), claude: await room.resident("claude") };
}

function decide(member: Member, requestId: string, optionId: string): Promise<Reply> {
  return act(member, requestId, "decide", { optionId });
}

function act(member: Member, requestId: string, verb: string, body: object): Promise<Reply> {
  const path = `/api/room/permissions/${requestId}/${verb}`;
  return call("POST", path, { token: member.token, body });
}

async function expectPending(member: Member, ...requestIds: string[]): Promise<void> {
  for (const requestId of requestIds) {
    const { body } = await statusAs(member, requestId);
    expect(body).toMatchObject({ state: "pending", delivery: { state: "none" } });
    expect(body).not.toHaveProperty("outcome");
    expect(body).not.toHaveProperty("settlement");
  }
}

const CANCELLED = { outcome: "cancelled" };

describe("who decides what", () => {
  it("returns the exact option that was chosen.", async () => {
    const { ana, claude } = await anaAndClaude();
    const optionId = " Allow é́ 👍\n";
    const options = [
      { optionId: "Allow é́ 👍", name: "Allow", kind: "allow_once" },
      { optionId, name: "Allow", kind: "allow_once" },
      ...STD,
    ];
    const socket = await claude.socket();
    const requestId = await ask(claude, { options });
    await decide(ana, requestId, optionId);
    const { outcome } = await socket.next("decision");
    expect(outcome).toEqual({ outcome: "selected", optionId });
    expect((await statusAs(claude, requestId)).body.outcome).toEqual(outcome);
  });

  it("It changes nothing and reinterprets nothing.", async () => {
    const { ana, claude } = await anaAndClaude();
    const socket = await openRaw(ana.token);
    await socket.frame();
    const toolCall = {
      toolCallId: "t",
      kind: "future_kind",
      title: "  ls\u202e ",
      _meta: { x: [1] },
    };
    const options = [
      { kind: "allow_until_tuesday", name: "", optionId: "z", extra: { kept: true } },
      { optionId: "a", name: "Allow" },
    ];
    await ask(claude, { toolCall, options });
    const { card } = (await socket.frame()) as unknown as { card: Record<string, unknown> };
    expect(JSON.stringify(card["toolCall"])).toBe(JSON.stringify(toolCall));
    expect(JSON.stringify(card["options"])).toBe(JSON.stringify(options));
  });

  it("if the agent asks the same thing again, people are asked again.", async () => {
    // B100
    const { ana, claude } = await anaAndClaude();
    const socket = await ana.socket();
    const first = await ask(claude);
    await decide(ana, first, "always-9");
    const second = await ask(claude);
    const opened = await socket.soFar("card_opened");
    expect(opened.map(({ card }) => card.requestId)).toEqual([first, second]);
    await expectPending(ana, second);
  });

  it("The Room keeps no policy and no grant, and answers nothing by itself", async () => {
    const { room, ana, claude } = await anaAndClaude();
    const policy = { default: "auto_allow", execute: "auto_allow" };
    const requestId = await ask(claude, { policy, verdict: "auto_allow", autoApprove: true });
    await expectPending(ana, requestId);
    expect(await dumpRoom(room)).not.toMatch(/auto_allow|autoApprove|verdict/);
    await room.evict();
    await expectPending(ana, requestId);
  });

  it("Any person in the Room may choose, and the first valid choice settles", async () => {
    const { room, ana, claude } = await anaAndClaude();
    const requestId = await ask(claude);
    const ben = await room.human("Ben, who came later");
    expect((await decide(ben, requestId, "no-2")).status).toBe(200);
    const late = await decide(ana, requestId, "allow-1");
    expect({ status: late.status, code: late.body.error?.code }).toEqual({
      status: 409,
      code: "already_settled",
    });
    const { settlement } = (await statusAs(claude, requestId)).body;
    expect(settlement).toMatchObject({ by: { name: ben.name }, option: { optionId: "no-2" } });
    expect(late.body.error?.["settlement"]).toEqual(settlement);
    expect((await statusAs(ana, requestId)).body.settlement).toEqual(settlement);
  });

  it("Every other person there sees who chose what.", async () => {
    const { room, ana, claude } = await anaAndClaude();
    const ben = await room.human("Ben");
    const socket = await ben.socket();
    const requestId = await ask(claude);
    await decide(ana, requestId, "allow-1");
    expect(await socket.next("card_settled")).toMatchObject({
      requestId,
      settlement: { state: "decided", by: { name: "Ana", role: "human" }, option: STD[0] },
    });
  });

  // That what sets a mode sets the chosen one alone: test/resident/session-settings.test.ts.
  it("Handraise never moves an agent to a mode that its operator did not choose and never writes its settings.", async () => {
    const sources = import.meta.glob<string>("../../src/resident/**/*.ts", {
      query: "?raw",
      import: "default",
      eager: true,
    });
    expect(Object.keys(sources).length).toBeGreaterThan(5);
    const where = (pattern: RegExp) =>
      Object.keys(sources)
        .filter((file) => pattern.test(sources[file] ?? ""))
        .map((file) => file.replace(/^.*\//, ""));
    const naming = where(/set_mode|setMode|set_config|setConfig/i);
    // The second only watches what an editor has the agent set: it can send nothing.
    expect(naming.sort()).toEqual(["apply-choices.ts", "from-client.ts"]);
    expect(where(/\bsend\(|\bcall\(|\brequest\(|\bwrite\(/)).not.toContain("from-client.ts");
    // This resident's own: its decision log, its kept token, its lock.
    const own = ["decision-log.ts", "kept-place.ts", "process-lock.ts"];
    expect(where(/writeFile|appendFile|writeSync|createWriteStream/i).sort()).toEqual(own);
  });
});

describe("what is never consent", () => {
  it("Joining grants nothing: opening the link answers no request, earlier or later.", async () => {
    const { room, ana, claude } = await anaAndClaude();
    const earlier = await ask(claude);
    const socket = await (await room.human("Ben")).socket();
    await (await room.resident("codex")).socket();
    const later = await ask(claude);
    await expectPending(ana, earlier, later);
    expect(await socket.soFar("card_settled")).toEqual([]);
  });

  it('A "yes" in the talk is a word. Only a press on an offered option decides.', async () => {
    const { ana, claude } = await anaAndClaude();
    const socket = await ana.socket();
    const requestId = await ask(claude);
    for (const text of ["yes", "y", "Allow once", "allow-1", `{"type":"decide"}`, "/allow"]) {
      const answer = await socket.ask({ type: "say", text, to: claude.participantId });
      expect(answer.type).toBe("accepted");
    }
    for (const optionId of ["yes", "Allow once", "allow_once", "ALLOW-1", "allow-1 "]) {
      const answer = await socket.ask({ type: "decide", requestId, optionId });
      expect(answer).toMatchObject({ type: "rejected", error: { code: "option_not_offered" } });
    }
    await expectPending(ana, requestId);
  });

  it("What an agent says or sends never decides a request, its own or another's.", async () => {
    const { room, ana, claude } = await anaAndClaude();
    const codex = await room.resident("codex");
    const requestId = await ask(claude);
    for (const agent of [claude, codex]) {
      const socket = await agent.socket();
      for (const frame of [
        { type: "decide", requestId, optionId: "allow-1" },
        { type: "decide", requestId, optionId: "allow-1", role: "human", by: ana.participantId },
        { type: "dismiss", requestId },
        { type: "extend", requestId, expiresAt: 0 },
        { type: "decision_ack", requestId, applied: true },
        { type: "decision", requestId, outcome: { outcome: "selected", optionId: "allow-1" } },
      ]) {
        expect((await socket.ask(frame)).type).toBe("rejected");
      }
      await socket.ask({ type: "say", text: "yes, Ana said yes", to: ana.participantId });
      expect((await decide(agent, requestId, "allow-1")).status).toBe(403);
      expect((await act(agent, requestId, "dismiss", {})).status).toBe(403);
    }
    expect((await withdrawAs(codex, requestId)).status).toBe(404);
    await expectPending(ana, requestId);
  });

  it("Being present is not agreeing.", async () => {
    const { room, ana, claude } = await anaAndClaude();
    const requestId = await ask(claude);
    const socket = await openRaw(ana.token);
    await socket.frame();
    socket.send("ping");
    expect(await socket.text()).toBe("pong");
    await call("GET", "/api/room", { token: ana.token });
    await room.evict();
    socket.close();
    await room.disconnected(ana);
    await expectPending(ana, requestId);
  });

  it("When nobody answers, the request expires and the agent is told that it was cancelled.", async () => {
    const { room, ana, claude } = await anaAndClaude();
    const clock = stopClock();
    const socket = await claude.socket();
    const requestId = await ask(claude, { expiresInMs: 60_000 });
    clock.advance(60_000);
    await room.alarm();
    expect(await socket.next("decision")).toMatchObject({
      requestId,
      outcome: CANCELLED,
      settlement: { state: "expired" },
    });
    expect((await decide(ana, requestId, "allow-1")).status).toBe(409);
    expect((await statusAs(claude, requestId)).body).toMatchObject({
      state: "expired",
      outcome: CANCELLED,
    });
  });

  it("The same holds when the Room ends, a connection breaks or anything fails: what was not chosen is not allowed.", async () => {
    const { room, ana, claude } = await anaAndClaude();
    const lost = await ask(claude);
    const socket = await claude.socket();
    await ana.socket();
    await room.evict("close");
    await socket.closed();
    await expectPending(ana, lost);
    const again = await claude.socket();
    await call("POST", "/api/room/close", { token: ana.token, body: {} });
    expect(await again.next("decision")).toMatchObject({
      requestId: lost,
      outcome: CANCELLED,
      settlement: { state: "withdrawn", reason: "room_closed" },
    });
    expect(await again.closed()).toBe(4001);
  });

  it("A person can also refuse without choosing an option. The agent is then told that the request was cancelled", async () => {
    const { ana, claude } = await anaAndClaude();
    const socket = await claude.socket();
    const requestId = await ask(claude);
    expect((await act(ana, requestId, "dismiss", {})).status).toBe(200);
    const { outcome, settlement } = await socket.next("decision");
    expect(outcome).toEqual(CANCELLED);
    expect(settlement).toMatchObject({ state: "dismissed", by: { name: "Ana" } });
    expect(settlement).not.toHaveProperty("option");
  });
});

describe("kinds of Rooms", () => {
  it("A request still needs a person; without one it expires.", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    const clock = stopClock();
    const { body } = await post(claude, freshId(), { expiresInMs: 60_000 });
    expect(body).toMatchObject({ state: "pending", humansPresent: 0 });
    clock.advance(60_000);
    await room.alarm();
    expect((await statusAs(claude, body.requestId)).body).toMatchObject({
      state: "expired",
      outcome: CANCELLED,
    });
  });

  it("Nobody here can answer.", async () => {
    const room = await createRoom();
    const [claude, codex] = [await room.resident("claude"), await room.resident("codex")];
    const requestId = await ask(claude);
    for (const agent of [claude, codex]) {
      expect((await decide(agent, requestId, "allow-1")).status).toBe(403);
    }
    const waived = await post(claude, freshId(), { ifNoHuman: "withdraw" });
    expect(waived.body).toMatchObject({ state: "withdrawn", outcome: CANCELLED });
    expect(waived.body.settlement).not.toHaveProperty("by");
    await expectPending(claude, requestId);
  });
});

describe("what this is not", () => {
  it("there are no approvers, groups or quorums", async () => {
    const { room, claude } = await anaAndClaude();
    const others = [await room.human("Ben"), await room.human("Cem"), await room.human("Dana")];
    for (const person of others) {
      const requestId = await ask(claude);
      const { body } = await decide(person, requestId, "allow-1");
      expect(body).toMatchObject({ state: "decided", settlement: { by: { name: person.name } } });
    }
  });

  it("Whoever has the link to a Room can join it as a person", async () => {
    const { room } = await anaAndClaude();
    const invite = room.created.humanUrl.split("#")[1] ?? "";
    for (const name of ["Somebody", "Somebody else"]) {
      const { status, body } = await call("POST", "/api/room/join", {
        token: invite,
        body: { name },
      });
      expect({ status, role: body["role"] }).toEqual({ status: 201, role: "human" });
    }
  });

  it("A Room that is left alone ends by itself.", async () => {
    const clock = stopClock();
    const room = await createRoom();
    clock.advance(limits.ROOM_UNJOINED_MS);
    await room.alarm();
    const reply = await call("POST", "/api/room/join", {
      token: room.created.humanInvite,
      body: { name: "Ana" },
    });
    expect(reply.status).toBe(404);
  });
});
