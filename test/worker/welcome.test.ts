import { afterEach, describe, expect, it, vi } from "vitest";
import { limits, type RoomView, utf8Bytes } from "../../src/protocol/index.ts";
import {
  ask,
  call,
  createRoom,
  type Member,
  ORIGIN,
  STD,
  statusAs,
  type TestRoom,
  withdrawAs,
  worker,
} from "../support/workerd/room.ts";
import { openRaw } from "../support/workerd/raw-socket.ts";

async function viewOf(member: Member): Promise<RoomView> {
  const { status, body } = await call<RoomView>("GET", "/api/room", { token: member.token });
  expect(status).toBe(200);
  return body;
}

/** A tool call that is serialised in exactly so many bytes. */
function toolCallOf(bytes: number, more: Record<string, unknown> = {}): object {
  const whole = { toolCallId: "t", ...more, rawInput: "" };
  return { ...whole, rawInput: "x".repeat(bytes - utf8Bytes(JSON.stringify(whole))) };
}

function idsOf(cards: RoomView["cards"]): string[] {
  return cards.map(({ requestId }) => requestId);
}

/** Writes straight into a card's row. */
function damage(room: TestRoom, requestId: string, column: string, value: unknown): Promise<void> {
  return room.inside((_, { storage }) => {
    storage.sql.exec(`UPDATE card SET ${column} = ? WHERE request_id = ?`, value, requestId);
  });
}

async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

afterEach(() => {
  vi.useRealTimers();
});

describe("what a human is shown", () => {
  it("is all pending cards, oldest first, and the settled ones, newest first", async () => {
    const room = await createRoom();
    const [ana, one, two] = [
      await room.human(),
      await room.resident("one"),
      await room.resident("two"),
    ];
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push(await ask(n % 2 === 0 ? one : two));
    await withdrawAs(two, ids[3] as string);
    const a = await ana.socket();
    await a.ask({ type: "decide", requestId: ids[0], optionId: "no-2" });
    await withdrawAs(one, ids[4] as string);
    const view = await viewOf(ana);
    expect(idsOf(view.cards)).toEqual([ids[1], ids[2], ids[5]]);
    expect(new Set(view.cards.map(({ state }) => state))).toEqual(new Set(["pending"]));
    const recent = view.recent.map(({ requestId, state }) => [requestId, state]);
    // Those of one millisecond stand in order of opening, newest first.
    const at = view.recent.map(({ settlement }) => settlement?.at ?? 0);
    expect(at).toEqual(at.toSorted((a, b) => b - a));
    expect(recent.toSorted()).toEqual(
      [
        [ids[0], "decided"],
        [ids[3], "withdrawn"],
        [ids[4], "withdrawn"],
      ].toSorted(),
    );
  });

  it("is at most the 50 newest settled; of one millisecond, those opened last come first", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const ids: string[] = [];
    for (let n = 0; n < limits.RECENT_CARDS + 2; n += 1) {
      const requestId = await ask(claude);
      ids.push(requestId);
      await withdrawAs(claude, requestId);
    }
    expect(idsOf((await viewOf(ana)).recent)).toEqual(ids.slice(2).toReversed());
  });

  it("is who they are, who else is in the Room, and the bounds", async () => {
    const room = await createRoom("Ship it");
    const [ana, claude] = [await room.human(), await room.resident()];
    const view = await viewOf(ana);
    expect(view).toMatchObject({
      protocol: 1,
      you: { participantId: ana.participantId, role: "human", name: "Ana" },
      room: { roomId: room.created.roomId, name: "Ship it" },
      messages: [],
      limits: {
        bodyBytes: limits.BODY_BYTES,
        frameBytes: limits.FRAME_BYTES,
        toolCallBytes: limits.TOOL_CALL_BYTES,
        expiresInMs: { min: 1_000, default: 300_000, max: 86_400_000 },
        pendingPerResident: 64,
      },
    });
    expect(view.participants.map(({ participantId }) => participantId).toSorted()).toEqual(
      [ana.participantId, claude.participantId].toSorted(),
    );
    expect(JSON.stringify(view)).not.toContain("hr1.");
  });

  it("is the same over a socket as over HTTP", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const pending = await ask(claude, { turnId: "turn-1", maxExpiresInMs: 900_000 });
    await withdrawAs(claude, await ask(claude));
    const { type, ...welcome } = await (await ana.socket()).next("welcome");
    expect(type).toBe("welcome");
    expect({ ...(await viewOf(ana)), serverTime: 0 }).toEqual({ ...welcome, serverTime: 0 });
    expect(welcome.cards).toMatchObject([
      {
        requestId: pending,
        resident: { participantId: claude.participantId, name: "claude" },
        toolCall: { toolCallId: "t1", rawInput: { command: "npm test" } },
        evidence: { inline: true },
        options: STD,
        turnId: "turn-1",
        state: "pending",
        delivery: { state: "none" },
      },
    ]);
  });
});

describe("what a resident is shown", () => {
  it("is its own pending cards and nothing settled, not even its own", async () => {
    const room = await createRoom();
    const [one, two] = [await room.resident("one"), await room.resident("two")];
    const [mine, gone] = [await ask(one), await ask(one)];
    await ask(two);
    await withdrawAs(one, gone);
    for (const view of [await viewOf(one), await (await one.socket()).next("welcome")]) {
      expect(idsOf(view.cards)).toEqual([mine]);
      expect(view.recent).toEqual([]);
    }
  });
});

describe("a card that is due", () => {
  it.each(["a human", "its resident"])("is not shown as pending to %s", async (who) => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [due, other] = [await ask(claude), await ask(claude)];
    await damage(room, due, "expires_at", Date.now() - 1_000);
    const view = await viewOf(who === "a human" ? ana : claude);
    expect(idsOf(view.cards)).toEqual([other]);
    const recent = (await viewOf(ana)).recent;
    expect(recent).toMatchObject([{ requestId: due, state: "expired" }]);
    expect(recent[0]?.settlement?.at).toBe(recent[0]?.expiresAt);
  });

  it("is not shown as pending by a socket's welcome, and the others hear of its end", async () => {
    const room = await createRoom();
    const [ana, ben, claude] = [
      await room.human("Ana"),
      await room.human("Ben"),
      await room.resident(),
    ];
    const b = await ben.socket();
    const due = await ask(claude);
    await damage(room, due, "expires_at", Date.now() - 1_000);
    const welcome = await (await ana.socket()).next("welcome");
    expect(welcome.cards).toEqual([]);
    expect(welcome.recent).toMatchObject([{ requestId: due, state: "expired" }]);
    expect(await b.next("card_settled")).toMatchObject({
      requestId: due,
      settlement: { state: "expired" },
      outcome: { outcome: "cancelled" },
    });
  });

  it("of another resident is left alone by a resident's look", async () => {
    const room = await createRoom();
    const [one, two] = [await room.resident("one"), await room.resident("two")];
    const due = await ask(one);
    await damage(room, due, "expires_at", Date.now() - 1_000);
    await viewOf(two);
    const state = await room.inside(
      (_, { storage }) => storage.sql.exec<{ state: string }>("SELECT state FROM card").one().state,
    );
    expect(state).toBe("pending");
  });
});

describe("a tool call", () => {
  it("of exactly 32 KiB is shown whole, one byte more by reference", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const a = await ana.socket();
    const inline = toolCallOf(limits.INLINE_TOOL_CALL_BYTES, { title: "Write" });
    await ask(claude, { toolCall: inline });
    const large = toolCallOf(limits.INLINE_TOOL_CALL_BYTES + 1, { title: "Write" });
    await ask(claude, { toolCall: large });
    const opened = [await a.next("card_opened"), await a.next("card_opened")];
    for (const cards of [opened.map(({ card }) => card), (await viewOf(ana)).cards]) {
      expect(cards[0]?.toolCall).toEqual(inline);
      expect(cards[0]?.evidence).toEqual({ inline: true, bytes: limits.INLINE_TOOL_CALL_BYTES });
      expect(cards[1]?.toolCall).toEqual({ toolCallId: "t", title: "Write" });
      expect(cards[1]?.evidence).toMatchObject({
        inline: false,
        bytes: limits.INLINE_TOOL_CALL_BYTES + 1,
        cut: ["rawInput"],
      });
    }
  });

  it("by reference names what was cut, and its hash is of the very bytes to fetch", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const locations = Array.from({ length: 21 }, (_, n) => ({ path: `/repo/${n}` }));
    const toolCall = {
      toolCallId: "t",
      title: "T".repeat(limits.REFERENCE_TITLE_BYTES + 1),
      kind: "edit",
      locations,
      content: [{ type: "diff", path: "/repo/ä€😀", newText: "ж".repeat(20_000) }],
      rawInput: { nested: [1, 2.5, null, true], text: 'quote " and \\ and \u2028' },
      _meta: { x: 1 },
    };
    const requestId = await ask(claude, { toolCall });
    const [card] = (await viewOf(ana)).cards;
    expect(card?.toolCall).toEqual({
      toolCallId: "t",
      kind: "edit",
      locations: locations.slice(0, limits.REFERENCE_LOCATIONS),
    });
    const response = await worker().fetch(`${ORIGIN}/api/room/permissions/${requestId}/tool-call`, {
      headers: { authorization: `Bearer ${ana.token}` },
    });
    const bytes = await response.arrayBuffer();
    expect(card?.evidence).toEqual({
      inline: false,
      bytes: bytes.byteLength,
      sha256: await sha256(bytes),
      cut: ["title", "locations", "content", "rawInput", "_meta"],
    });
    expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(toolCall);
  });
});

describe("the budget of a welcome", () => {
  const perCard = limits.INLINE_TOOL_CALL_BYTES;
  const whole = limits.WELCOME_TOOL_CALL_BYTES / perCard;

  it("is spent on pending cards first; the rest is by reference, with a true hash", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const toolCall = toolCallOf(perCard, { title: "Write" });
    const ids: string[] = [];
    for (let n = 0; n < whole + 2; n += 1) ids.push(await ask(claude, { toolCall }));
    // Newer than all of them and settled: it would come first by time.
    await withdrawAs(claude, ids[0] as string);
    const view = await viewOf(ana);
    const inline = view.cards.map(({ evidence }) => evidence.inline);
    expect(inline).toEqual([...Array.from({ length: whole }, () => true), false]);
    expect(view.recent.map(({ evidence }) => evidence.inline)).toEqual([false]);
    const expected = await sha256(
      new TextEncoder().encode(JSON.stringify(toolCall)).buffer as ArrayBuffer,
    );
    for (const card of [view.cards.at(-1), view.recent[0]]) {
      expect(card?.toolCall).toEqual({ toolCallId: "t", title: "Write" });
      expect(card?.evidence).toMatchObject({ bytes: perCard, sha256: expected, cut: ["rawInput"] });
    }
  });

  it("goes to small cards that still fit behind one that does not", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    for (let n = 0; n < whole - 1; n += 1) await ask(claude, { toolCall: toolCallOf(perCard) });
    await ask(claude, { toolCall: toolCallOf(perCard - 100) });
    await ask(claude, { toolCall: toolCallOf(101) });
    await ask(claude, { toolCall: toolCallOf(100) });
    const inline = (await viewOf(ana)).cards.map(({ evidence }) => evidence.inline);
    expect(inline.slice(-3)).toEqual([true, false, true]);
  });

  it("bounds a welcome full of the largest cards", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const locations = Array.from({ length: limits.REFERENCE_LOCATIONS }, (_, n) => ({
      path: "p".repeat(limits.REFERENCE_LOCATION_BYTES - 20),
      line: n,
    }));
    const title = "T".repeat(limits.REFERENCE_TITLE_BYTES);
    const options = Array.from({ length: 15 }, (_, n) => ({
      optionId: `option-${n}`,
      name: "n".repeat(limits.OPTION_NAME_BYTES),
      kind: "allow_once",
    }));
    const cards = 40;
    const small = toolCallOf(perCard);
    for (let n = 0; n < cards; n += 1) {
      const large = toolCallOf(300_000, { title, kind: "edit", locations });
      await ask(claude, { toolCall: n % 2 === 0 ? large : small, options });
    }
    const { length } = await (await openRaw(ana.token)).text();
    const perReference =
      limits.REFERENCE_TITLE_BYTES +
      limits.REFERENCE_LOCATIONS * limits.REFERENCE_LOCATION_BYTES +
      limits.OPTIONS_BYTES +
      1024;
    expect(length).toBeGreaterThan(limits.WELCOME_TOOL_CALL_BYTES);
    expect(length).toBeLessThan(limits.WELCOME_TOOL_CALL_BYTES + cards * perReference);
  });
});

describe("a row that cannot be read", () => {
  it.each([
    ["options", "not json"],
    ["options", ""],
    ["tool_call_summary", "{"],
  ])("for its %s (%j) closes the Room to nobody", async (column, value) => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const first = await ask(claude);
    const bad = await ask(claude, { toolCall: toolCallOf(limits.INLINE_TOOL_CALL_BYTES + 1) });
    const last = await ask(claude);
    await damage(room, bad, column, value);
    for (const member of [ana, claude]) {
      for (const view of [await viewOf(member), await (await member.socket()).next("welcome")]) {
        expect(idsOf(view.cards)).toEqual(expect.arrayContaining([first, last]));
      }
    }
    const a = await ana.socket();
    const answer = await a.ask({ type: "decide", requestId: last, optionId: "no-2" });
    expect(answer).toMatchObject({ type: "accepted", status: { state: "decided" } });
    expect(idsOf((await viewOf(ana)).recent)).toEqual([last]);
  });

  it("for its settlement closes the Room to nobody", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const [good, bad] = [await ask(claude), await ask(claude)];
    await withdrawAs(claude, good);
    await withdrawAs(claude, bad);
    await damage(room, bad, "settlement", "{");
    expect(idsOf((await viewOf(ana)).recent)).toEqual([good]);
    expect((await statusAs(ana, bad)).status).toBe(500);
    expect((await statusAs(ana, good)).status).toBe(200);
  });
});
