import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  ackBody,
  createRoom,
  decideBody,
  dismissBody,
  emptyBody,
  errorBody,
  extendBody,
  health,
  historyRecord,
  humanFrame,
  inviteMinted,
  joinRoom,
  mintInvite,
  permissionRequest,
  requestStatus,
  residentFrame,
  roomCreated,
  roomFrame,
  roomJoined,
  roomView,
  withdrawBody,
  type z,
} from "../../src/protocol/index.ts";

// golden/<shape>.json, or golden/<shape>.<which>.json where there are several. They are what the wire carried when the version was
// frozen: a schema may come to accept more, but must go on to read and write every one of them as it is.

const shapes: Record<string, z.ZodType> = {
  "ack-body": ackBody,
  "create-room": createRoom,
  "decide-body": decideBody,
  "dismiss-body": dismissBody,
  "empty-body": emptyBody,
  "error-body": errorBody,
  "extend-body": extendBody,
  health,
  "history-record": historyRecord,
  "human-frame": humanFrame,
  "invite-minted": inviteMinted,
  "join-room": joinRoom,
  "mint-invite": mintInvite,
  "permission-request": permissionRequest,
  "request-status": requestStatus,
  "resident-frame": residentFrame,
  "room-created": roomCreated,
  "room-frame": roomFrame,
  "room-joined": roomJoined,
  "room-view": roomView,
  "withdraw-body": withdrawBody,
};

const folder = new URL("./golden/", import.meta.url);
const goldens = readdirSync(folder).map((file) => {
  const [shape = "", ...which] = file.replace(/\.json$/, "").split(".");
  return { file, shape, which, text: readFileSync(new URL(file, folder), "utf8") };
});

test("every shape has its golden files and every file its shape", () => {
  const used = new Set(goldens.map(({ shape }) => shape));
  expect([...used].sort()).toEqual(Object.keys(shapes).sort());
});

test("every type of frame has a golden file, in each direction it goes", () => {
  const typesOf = (shape: string) =>
    new Set(goldens.filter((one) => one.shape === shape).map(({ which }) => which[0]));
  for (const [shape, schema] of Object.entries({
    "room-frame": roomFrame,
    "human-frame": humanFrame,
    "resident-frame": residentFrame,
  })) {
    const types = schema.options.map((option) => option.shape.type.value);
    expect([...typesOf(shape)].sort()).toEqual([...types].sort());
  }
});

test.each(goldens)("$file is read and written as it is", ({ shape, text }) => {
  const value: unknown = JSON.parse(text);
  const read = shapes[shape]?.parse(value);
  expect(JSON.stringify(read)).toBe(JSON.stringify(value));
});

test.each(goldens)(
  "$file with fields of a later version is read all the same",
  ({ shape, text }) => {
    const value = JSON.parse(text) as object;
    const later = { ...value, ofALaterVersion: { a: [1] } };
    expect(JSON.stringify(shapes[shape]?.parse(later))).toBe(JSON.stringify(value));
  },
);
