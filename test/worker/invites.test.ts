import { describe, expect, it } from "vitest";
import { limits } from "../../src/protocol/index.ts";
import type { RoomJoined } from "../../src/protocol/index.ts";
import { mintAs } from "../support/workerd/commands.ts";
import { call, createRoom, type Reply } from "../support/workerd/room.ts";
import { dumpRoom } from "../support/workerd/storage.ts";

function join(invite: string, more: object = {}): Promise<Reply<RoomJoined>> {
  return call("POST", "/api/room/join", { token: invite, body: { name: "New", ...more } });
}

describe("an invite", () => {
  it.each([
    ["human", "hi", "ht"],
    ["resident", "ri", "rt"],
  ])("for a %s is minted by any human, and its role is the invite's", async (role, kind, token) => {
    const room = await createRoom();
    const ana = await room.human("Ana");
    const minted = await mintAs(ana, role);
    expect(minted.status).toBe(201);
    const { invite, url } = minted.body;
    expect(invite).toMatch(new RegExp(`^hr1\\.${kind}\\.${room.created.roomId}\\.`));
    expect(url).toBe(role === "human" ? `https://room.test/r#${invite}` : undefined);
    // Whatever else is claimed: the role is not the caller's to choose.
    const other = role === "human" ? "resident" : "human";
    for (const claim of [{}, { role: other, kind: other }]) {
      const { status, body } = await join(invite, claim);
      expect([status, body.role]).toEqual([201, role]);
      expect(body.token).toMatch(new RegExp(`^hr1\\.${token}\\.`));
    }
  });

  it("minted by somebody invited works, and so do those from before", async () => {
    const room = await createRoom();
    const first = await mintAs(await room.human(), "human");
    const { token } = (await join(first.body.invite)).body;
    const second = await call<{ invite: string }>("POST", "/api/room/invites", {
      token,
      body: { role: "human" },
    });
    for (const invite of [second.body.invite, first.body.invite, room.created.humanInvite]) {
      expect((await join(invite)).status).toBe(201);
    }
  });

  it("is no secret that the Room keeps: only its hash is stored", async () => {
    const room = await createRoom();
    const { invite } = (await mintAs(await room.human(), "resident")).body;
    expect(await dumpRoom(room)).not.toContain(invite.split(".").at(-1));
  });

  it("opens nothing but the door", async () => {
    const room = await createRoom();
    const { invite } = (await mintAs(await room.human(), "human")).body;
    for (const [method, path] of [
      ["GET", "/api/room"],
      ["POST", "/api/room/invites"],
      ["POST", "/api/room/close"],
    ] as const) {
      const body = method === "POST" ? { body: { role: "human" } } : {};
      const reply = await call(method, path, { token: invite, ...body });
      expect([reply.status, reply.body.error?.code]).toEqual([401, "unauthorized"]);
    }
  });

  it("stored again, as after a lost reply, is the same invite", async () => {
    const room = await createRoom();
    const { token } = await room.human();
    const hash = await room.inside(
      (_, { storage }) =>
        storage.sql.exec<{ hash: string }>("SELECT hash FROM credential WHERE kind = 'ht'").one()
          .hash,
    );
    const replies = await room.inside((object) =>
      [1, 2].map(() => object.invite(hash, "a-new-hash", "resident").answer),
    );
    expect(replies).toEqual(["ok", "ok"]);
    expect((await call("GET", "/api/room", { token })).status).toBe(200);
  });
});

describe("minting", () => {
  it("is not for residents, and needs a role that there is", async () => {
    const room = await createRoom();
    const [ana, claude] = [await room.human(), await room.resident()];
    const before = await dumpRoom(room);
    for (const role of ["human", "resident"]) {
      const reply = await mintAs(claude, role);
      expect([reply.status, reply.body.error?.code]).toEqual([403, "human_only"]);
    }
    for (const role of ["owner", "", "Human"]) {
      const reply = await mintAs(ana, role);
      expect([reply.status, reply.body.error?.code]).toEqual([400, "invalid_request"]);
    }
    expect(await dumpRoom(room)).toBe(before);
  });

  it("ends at the limit, and leaves the Room as it is", async () => {
    const room = await createRoom();
    const ana = await room.human();
    await room.inside((_, { storage }) => {
      for (let n = 2; n < limits.INVITES - 1; n += 1) {
        storage.sql.exec("INSERT INTO credential VALUES (?, 'hi', NULL, 0)", `invite-${n}`);
      }
    });
    expect((await mintAs(ana, "human")).status).toBe(201);
    const over = await mintAs(ana, "human");
    expect([over.status, over.body.error?.code]).toEqual([429, "room_full"]);
    expect((await call("GET", "/api/room", { token: ana.token })).status).toBe(200);
  });
});
