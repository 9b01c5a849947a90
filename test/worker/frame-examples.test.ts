import { expect, it } from "vitest";
import type { RequestStatus, RoomCreated, RoomJoined } from "../../src/protocol/index.ts";
import {
  ANA,
  BEN,
  CLAUDE,
  DISMISSED,
  EXPIRES_AT,
  HUMAN_FRAMES,
  MESSAGE_ID,
  RESIDENT_FRAMES,
  ROOM_FRAMES,
  ROOM_ID,
  WITHDRAWN,
} from "../../worker/openapi/examples.ts";
import {
  frameCheckerOf,
  readFramesDocument,
  timeless,
  Translation,
} from "../support/workerd/described.ts";
import { openRaw, type RawSocket } from "../support/workerd/raw-socket.ts";
import { call } from "../support/workerd/room.ts";

type Frame = { type: string; [field: string]: unknown };

it("every example of a frame is taken, or sent, by a real socket as it stands there", async () => {
  const document = await readFramesDocument();
  const checkers = {
    human: frameCheckerOf(document, "HumanFrame"),
    resident: frameCheckerOf(document, "ResidentFrame"),
    room: frameCheckerOf(document, "RoomFrame"),
  };
  const exampleOf = (type: string): Frame => {
    const examples = Object.values(document.$defs).flatMap((one) => one.examples ?? []);
    return examples.find((example) => example["type"] === type) as Frame;
  };
  const names = new Translation();
  const sent = new Set<string>();
  const heard: Frame[] = [];

  /** Sends the example of a type and returns what came up to its answer; what it causes comes after that. */
  const say = async (
    as: "human" | "resident",
    socket: RawSocket,
    type: string,
    but: object = {},
  ): Promise<Frame> => {
    const frame = { ...names.toReal(exampleOf(type)), ...but };
    expect(checkers[as].safeParse(frame).error).toBeUndefined();
    sent.add(`${as} ${type}`);
    socket.send(JSON.stringify(frame));
    for (;;) {
      const answer = await hear(socket);
      if (answer["ref"] === frame["ref"]) return answer;
    }
  };
  const hear = async (socket: RawSocket): Promise<Frame> => {
    const frame = await socket.frame();
    expect(checkers.room.safeParse(frame).error).toBeUndefined();
    heard.push(frame);
    return frame;
  };
  const hearAll = async (socket: RawSocket): Promise<void> => {
    for (const frame of await socket.framesSoFar()) {
      expect(checkers.room.safeParse(frame).error).toBeUndefined();
      heard.push(frame);
    }
  };

  const room = await call<RoomCreated>("POST", "/api/rooms", { body: { name: "Release night" } });
  const join = async (invite: string, who: { name: string; participantId: string }) => {
    const { body } = await call<RoomJoined>("POST", "/api/room/join", {
      token: invite,
      body: { name: who.name },
    });
    names.add(who.participantId, body.participantId);
    return body.token;
  };
  names.add(ROOM_ID, room.body.roomId);
  const { humanInvite, residentInvite } = room.body;
  const anasToken = await join(humanInvite, ANA);
  const claudesToken = await join(residentInvite, CLAUDE);

  const claude = await openRaw(claudesToken);
  expect((await hear(claude)).type).toBe("welcome");
  expect((await say("resident", claude, "resume")).type).toBe("accepted");
  const asked = await say("resident", claude, "request");
  names.add(String(EXPIRES_AT), String((asked["status"] as RequestStatus).expiresAt));

  const ana = await openRaw(anasToken);
  expect((await hear(ana)).type).toBe("welcome");
  const ben = await openRaw(await join(humanInvite, BEN));
  await hear(ben);

  for (const requestId of [DISMISSED, WITHDRAWN]) {
    const answer = await say("resident", claude, "request", { requestId });
    expect(answer.type).toBe("accepted");
  }
  expect((await say("human", ana, "extend")).type).toBe("accepted");
  expect((await say("human", ana, "decide")).type).toBe("accepted");
  expect((await say("human", ben, "decide")).type).toBe("rejected");
  expect((await say("resident", claude, "decision_ack")).type).toBe("accepted");
  expect((await say("human", ana, "dismiss")).type).toBe("accepted");
  expect((await say("resident", claude, "withdraw")).type).toBe("accepted");
  expect((await say("human", ana, "say")).type).toBe("accepted");
  expect((await say("resident", claude, "say")).type).toBe("accepted");
  for (const socket of [ana, ben, claude]) await hearAll(socket);

  const types = (frames: object): string[] => Object.keys(frames);
  expect([...sent].sort()).toEqual(
    [
      ...types(HUMAN_FRAMES).map((type) => `human ${type}`),
      ...types(RESIDENT_FRAMES).map((type) => `resident ${type}`),
    ].sort(),
  );
  for (const frame of heard) {
    if (frame.type === "message_posted") {
      names.add(MESSAGE_ID, (frame["message"] as { messageId: string }).messageId);
    }
  }
  const told = heard.map((frame) => timeless(names.toTold(frame)));
  for (const type of types(ROOM_FRAMES)) {
    const alike = told.filter((frame) => frame.type === type);
    expect(alike).toContainEqual(timeless(exampleOf(type)));
  }
});
