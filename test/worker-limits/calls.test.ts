import { describe, expect, it } from "vitest";
import { CLOSE } from "../../src/protocol/index.ts";
import { call, createRoom, type Member, type Reply, withdrawAs } from "../support/workerd/room.ts";

/** The platform's count is approximate, and a window may begin while a test runs: bounds, not numbers. */
const SLACK = 2;

function from(address: string): { headers: Record<string, string> } {
  return { headers: { "cf-connecting-ip": address } };
}

async function countTaken(
  times: number,
  act: (n: number) => Promise<Reply>,
): Promise<{ taken: number; refused: Reply[] }> {
  const replies = await Promise.all(Array.from({ length: times }, (_, n) => act(n)));
  const refused = replies.filter((reply) => reply.status === 429);
  return { taken: times - refused.length, refused };
}

function expectLimited({ taken, refused }: Awaited<ReturnType<typeof countTaken>>, limit: number) {
  expect(taken).toBeGreaterThanOrEqual(limit);
  expect(taken).toBeLessThanOrEqual(SLACK * limit);
  for (const { body, headers } of refused) {
    expect(body.error?.code).toBe("rate_limited");
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
}

function look(member: Member): Promise<Reply> {
  return call("GET", "/api/room/permissions/request-none", { token: member.token });
}

describe("calls", () => {
  it("that create Rooms are about 10 a minute of one address, and another's are its own", async () => {
    const create = (address: string): Promise<Reply> =>
      call("POST", "/api/rooms", { body: {}, ...from(address) });
    expectLimited(await countTaken(21, () => create("192.0.2.1")), 10);
    expect((await create("192.0.2.2")).status).toBe(201);
  });

  it("that join are about 60 a minute of one address", async () => {
    const room = await createRoom();
    const join = (address: string): Promise<Reply> =>
      call("POST", "/api/room/join", {
        token: room.created.humanInvite,
        body: { name: "N" },
        ...from(address),
      });
    expectLimited(await countTaken(121, () => join("192.0.2.3")), 60);
    expect((await join("192.0.2.4")).status).toBe(201);
  });

  it("are about 200 in ten seconds of one credential, on whichever routes; the rest goes on", async () => {
    const room = await createRoom();
    const [claude, ana] = [await room.resident(), await room.human()];
    const paths = ["/api/room/permissions/request-none", "/api/room", "/api/room/history"];
    const act = (n: number): Promise<Reply> =>
      n % 50 === 2
        ? call("GET", paths[2] as string, { token: claude.token })
        : call("GET", paths[n % 2] as string, { token: claude.token });
    expectLimited(await countTaken(401, act), 200);
    expect((await look(ana)).status).toBe(404);
    for (const reply of [
      await look(claude),
      await call("GET", "/api/room/history", { token: claude.token }),
      await call("POST", "/api/room/leave", { token: claude.token, body: {} }),
    ]) {
      expect(reply.status).toBe(429);
    }
    expect(await (await claude.socket()).closed()).toBe(CLOSE.limited);
    // What only makes things safer is never held up.
    expect((await withdrawAs(claude, "request-other")).status).toBe(200);
    const ack = await call("POST", "/api/room/permissions/request-none/ack", {
      token: claude.token,
      body: { applied: false },
    });
    expect(ack.status).toBe(404);
  });

  it("that only make things safer are not counted either", async () => {
    const room = await createRoom();
    const claude = await room.resident();
    const { taken } = await countTaken(401, (n) =>
      withdrawAs(claude, `request-${String(n % 5).padStart(6, "0")}`),
    );
    expect(taken).toBe(401);
    expect((await look(claude)).status).toBe(404);
  });
});
