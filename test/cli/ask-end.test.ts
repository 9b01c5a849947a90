import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { readDetails } from "../../src/cli/ask/details.ts";
import { describeForPrograms } from "../../src/cli/ask/end-json.ts";
import { describeAnswer } from "../../src/cli/ask/end-words.ts";
import type { GateAnswer, GateEnd, GateReply } from "../../src/gate/index.ts";
import type { RequestStatus, Settlement } from "../../src/protocol/index.ts";

const by = { participantId: "ana", name: "Ana\u001B[2J", role: "human" } as const;

function statusOf(settlement: Settlement): RequestStatus {
  return {
    requestId: "request-1",
    state: settlement.state,
    openedAt: 0,
    expiresAt: 0,
    serverTime: 0,
    humansPresent: 1,
    settlement,
    delivery: { state: "sent", at: 0 },
  };
}

function decided(kind: string): RequestStatus {
  const option = { optionId: "x", name: "The\noption", kind };
  return statusOf({ state: "decided", at: 0, by, option });
}

const TEARDOWN = { kind: "teardown" } as const;

describe("what a question came to", () => {
  it.each<[GateAnswer, number, RegExp]>([
    [
      { reply: { kind: "approve" }, end: "decided", status: decided("allow_once") },
      0,
      /^Allowed by Ana\\u\{1b\}\[2J: The\\noption$/,
    ],
    [
      { reply: { kind: "reject", message: "no" }, end: "decided", status: decided("reject_once") },
      1,
      /^Refused by Ana/,
    ],
    [
      { reply: TEARDOWN, end: "dismissed", status: statusOf({ state: "dismissed", at: 0, by }) },
      1,
      /^Dismissed by Ana/,
    ],
    [{ reply: TEARDOWN, end: "expired" }, 2, /nobody answered in time/],
    [
      {
        reply: TEARDOWN,
        end: "withdrawn",
        status: statusOf({ state: "withdrawn", at: 0, reason: "room_closed" }),
      },
      2,
      /^Withdrawn: the Room has ended/,
    ],
    [
      { reply: TEARDOWN, end: "withdrawn", reason: "room_closed" },
      2,
      /^Withdrawn: the Room has ended\. Nobody answered\.$/,
    ],
    [
      { reply: TEARDOWN, end: "withdrawn", reason: "resident_removed" },
      2,
      /^Withdrawn: whoever asks was removed from the Room\. Nobody answered\.$/,
    ],
    [{ reply: TEARDOWN, end: "no_human" }, 2, /nobody is in the Room/],
    [{ reply: TEARDOWN, end: "aborted" }, 2, /stopped here/],
    [{ reply: TEARDOWN, end: "unreachable" }, 3, /not allowed/],
    [{ reply: TEARDOWN, end: "refused", code: "too_many_pending" }, 3, /Nothing was asked/],
    [{ reply: TEARDOWN, end: "refused", code: "of_a_later_version" }, 3, /of_a_later_version/],
    // Somebody allowed it, but it came too late.
    [{ reply: TEARDOWN, end: "decided", status: decided("allow_once") }, 3, /too late/],
    [
      { reply: { kind: "unreadable", message: "What?" }, end: "decided", status: decided("maybe") },
      3,
      /not understood: What\?/,
    ],
  ])("%j", (answer, exitCode, words) => {
    const end = describeAnswer(answer);
    expect(end.exitCode).toBe(exitCode);
    expect(end.text).toMatch(words);
  });

  it("is a success only where the gate approves, whatever else is said", () => {
    const replies: GateReply[] = [
      { kind: "reject", message: "" },
      { kind: "reject", scope: "always", message: "" },
      TEARDOWN,
      { kind: "unreadable", message: "" },
    ];
    const ends: GateEnd[] = [
      "decided",
      "dismissed",
      "expired",
      "withdrawn",
      "no_human",
      "aborted",
      "unreachable",
      "refused",
    ];
    for (const reply of replies) {
      for (const end of ends) {
        const { exitCode } = describeAnswer({ reply, end, status: decided("allow_always") });
        expect(exitCode).not.toBe(0);
      }
    }
  });
});

describe("a question that people had before them", () => {
  const { settlement, ...settled } = statusOf({ state: "expired", at: 0 });
  const pending: RequestStatus = { ...settled, state: "pending" };

  it("was asked, however the Room refuses to tell more of it", () => {
    for (const code of ["request_not_found", "invalid_request", "of_a_later_version"]) {
      const answer: GateAnswer = { reply: TEARDOWN, end: "refused", code, status: pending };
      const { exitCode, text } = describeAnswer(answer);
      expect([exitCode, text]).toEqual([3, expect.stringContaining("It was asked")]);
      expect(text).not.toContain("Nothing was asked");
    }
  });

  it("is told to programs as the Room told it, and how it ended here where the Room did not", () => {
    const reply = TEARDOWN;
    const status = { ...settled, settlement } as RequestStatus;
    expect(describeForPrograms({ reply, end: "expired", status })).toEqual(status);
    expect(describeForPrograms({ reply, end: "withdrawn", reason: "room_closed" })).toEqual({
      state: "withdrawn",
      end: "withdrawn",
      reason: "room_closed",
    });
    expect(describeForPrograms({ reply, end: "unreachable", status: pending })).toEqual({
      ...pending,
      end: "unreachable",
    });
    expect(describeForPrograms({ reply, end: "refused", code: "room_full" })).toEqual({
      state: "not_asked",
      end: "refused",
      code: "room_full",
    });
  });
});

describe("--details", () => {
  const folder = mkdtempSync(join(tmpdir(), "handraise-details-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function write(bytes: Buffer | string): string {
    const path = join(folder, "details");
    writeFileSync(path, bytes);
    return path;
  }

  it("are read as they are, from a file and from stdin", async () => {
    expect(await readDetails(write("ä\r\n\u0000x"), new PassThrough())).toBe("ä\r\n\u0000x");
    const stdin = new PassThrough();
    stdin.end("from a pipe");
    expect(await readDetails("-", stdin)).toBe("from a pipe");
  });

  it.each([
    { what: "no UTF-8", bytes: Buffer.from([0xff, 0xfe]), says: /not text in UTF-8/ },
    { what: "too much", bytes: "x".repeat(1_000_000), says: /more than 960 KiB/ },
  ])("are refused, and nothing is asked: $what", async ({ bytes, says }) => {
    const reading = readDetails(write(bytes), new PassThrough());
    await expect(reading).rejects.toThrow(says);
    await expect(reading).rejects.toThrow(/Nothing was asked/);
  });

  it("are refused where there are none", async () => {
    const reading = readDetails(join(folder, "none"), new PassThrough());
    await expect(reading).rejects.toThrow(/cannot be read \(ENOENT\)/);
  });
});
