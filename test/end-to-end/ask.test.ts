import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/project.ts";
import { createRoom } from "../../src/client/index.ts";
import type { RoomCreated } from "../../src/protocol/index.ts";
import { Handraise } from "../support/handraise.ts";
import { LiveMember } from "../support/live-member.ts";
import { LiveServer } from "../support/live-server.ts";

const server = new LiveServer();
const folder = mkdtempSync(join(tmpdir(), "handraise-ask-"));
let room: RoomCreated;
let ana: LiveMember;
const started: Handraise[] = [];

beforeAll(() => server.start());
afterAll(async () => {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  room = await createRoom({ server: server.url }, {});
  ana = await LiveMember.join(server.url, room.humanInvite, "Ana");
});
afterEach(async () => {
  ana.disconnect();
  await Promise.all(started.splice(0).map((one) => one.kill()));
});

function start(args: string[], env: Record<string, string> = {}): Handraise {
  const asking = new Handraise(["ask", ...args], {
    env: { HANDRAISE_SERVER: server.url, HANDRAISE_INVITE: room.residentInvite, ...env },
  });
  started.push(asking);
  return asking;
}

async function nextCard() {
  return (await ana.next("card_opened")).card;
}

/** What is in a text that could act on a terminal. */
const ACTS = /[^\P{C}\n\t]|[\u2028\u2029]/u;

describe("handraise ask", () => {
  it("shows the question whole, and exits 0 where a person allows it", async () => {
    await ana.connect();
    const details = join(folder, "changes.txt");
    writeFileSync(details, "one\ntwo\n");
    const question = `Deploy ${"x".repeat(3000)} to production?`;
    const asking = start([question, "--details", details, "--name", "CI"]);
    const card = await nextCard();
    expect(card.resident.name).toBe("CI");
    expect(card.toolCall).toMatchObject({
      title: question,
      content: [
        { type: "content", content: { type: "text", text: question } },
        { type: "content", content: { type: "text", text: "one\ntwo\n" } },
      ],
    });
    expect(card.options).toEqual([
      { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
      { optionId: "reject_once", name: "Deny", kind: "reject_once" },
    ]);
    await asking.printed(/Waiting, (4:5\d|5:00) left: Ana is here/);
    await ana.send({ type: "decide", requestId: card.requestId, optionId: "allow_once" });
    expect(await asking.exitCode()).toBe(0);
    expect(asking.stdout).toBe("Allowed by Ana: Allow once\n");
    // The Room knows that it was acted on, and that the script is gone.
    expect((await ana.api.status(card.requestId)).delivery.state).toBe("applied");
    const { participants } = await ana.api.room();
    expect(participants.filter((one) => one.role === "resident" && one.present)).toEqual([]);
  });

  it("exits 1 where a person refuses, and where one dismisses", async () => {
    await ana.connect();
    const refused = start(["Deploy?"]);
    const first = await nextCard();
    await ana.send({ type: "decide", requestId: first.requestId, optionId: "reject_once" });
    expect(await refused.exitCode()).toBe(1);
    expect(refused.stdout).toBe("Refused by Ana: Deny\n");

    const dismissed = start(["Deploy?"]);
    const second = await nextCard();
    await ana.send({ type: "dismiss", requestId: second.requestId });
    expect(await dismissed.exitCode()).toBe(1);
    expect(dismissed.stdout).toBe("Dismissed by Ana: no option was chosen.\n");
  });

  it("exits 2 where nobody answers in time, and where nobody is there", async () => {
    const expired = start(["Deploy?", "--expires-in", "1s"]);
    expect(await expired.exitCode()).toBe(2);
    expect(expired.stdout).toMatch(/^Expired: nobody answered/);
    const empty = await createRoom({ server: server.url }, {});
    const alone = start(["Deploy?", "--if-no-human", "withdraw"], {
      HANDRAISE_INVITE: empty.residentInvite,
    });
    expect(await alone.exitCode()).toBe(2);
    expect(alone.stdout).toMatch(/nobody is in the Room/);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "takes its card back on %s, and exits 2",
    async (signal) => {
      await ana.connect();
      const asking = start(["Deploy?"]);
      const { requestId } = await nextCard();
      await asking.printed(/Waiting, \d:\d\d left/);
      asking.signal(signal);
      expect(await asking.exitCode()).toBe(2);
      const settled = await ana.next("card_settled", (frame) => frame.requestId === requestId);
      expect(settled.settlement).toMatchObject({ state: "withdrawn", reason: "resident_stopped" });
      expect(asking.stdout).toMatch(/^Withdrawn: it was stopped here/);
    },
  );

  it("exits 3 where it could not ask, and says what to do", async () => {
    const wrongKind = start(["Deploy?"], { HANDRAISE_INVITE: room.humanUrl });
    expect(await wrongKind.exitCode()).toBe(3);
    expect(wrongKind.stderr).toMatch(/invite for people.*resident invite/s);

    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    taken.close();
    await once(taken, "close");
    const unreachable = start(["Deploy?"], { HANDRAISE_SERVER: `http://127.0.0.1:${port}` });
    expect(await unreachable.exitCode()).toBe(3);
    expect(unreachable.stderr).toMatch(
      new RegExp(`^http://127\\.0\\.0\\.1:${port} did not answer\\. Nothing was asked\\.`),
    );

    const unknown = start(["Deploy?"], {
      HANDRAISE_INVITE: `${room.residentInvite.slice(0, -43)}${"A".repeat(43)}`,
    });
    expect(await unknown.exitCode()).toBe(3);
    expect(unknown.stderr).toMatch(/does not take this credential.*new invite/s);
    for (const { stderr, stdout } of [wrongKind, unreachable, unknown]) {
      expect(stderr + stdout).not.toMatch(/hr1\.\w\w\.\w{5}|\n\s+at /);
    }
  });

  it("offers the options that it was given, and tells the pressed one", async () => {
    await ana.connect();
    const options = [
      "a=All of it:yes=1:allow_always",
      "b=Only the first:allow_once",
      "c=No:reject_once",
    ];
    const asking = start(["Deploy?", ...options.flatMap((one) => ["--option", one])]);
    const card = await nextCard();
    expect(card.options).toEqual([
      { optionId: "a", name: "All of it:yes=1", kind: "allow_always" },
      { optionId: "b", name: "Only the first", kind: "allow_once" },
      { optionId: "c", name: "No", kind: "reject_once" },
    ]);
    await ana.send({ type: "decide", requestId: card.requestId, optionId: "a" });
    expect(await asking.exitCode()).toBe(0);
    expect(asking.stdout).toBe("Allowed by Ana: All of it:yes=1\n");
  });

  it("prints the request status as one line of JSON", async () => {
    await ana.connect();
    const asking = start(["Deploy?", "--json", "--quiet"]);
    const { requestId } = await nextCard();
    await ana.send({ type: "decide", requestId, optionId: "reject_once" });
    expect(await asking.exitCode()).toBe(1);
    expect(asking.stdout.endsWith("\n")).toBe(true);
    expect(JSON.parse(asking.stdout)).toMatchObject({
      requestId,
      state: "decided",
      settlement: { by: { name: "Ana" }, option: { optionId: "reject_once" } },
    });
    expect(asking.stderr).not.toMatch(/Waiting/);
  });

  it("exits 2 where the Room ends, or whoever asks is removed, while people have the question", async () => {
    const other = await createRoom({ server: server.url }, {});
    const ben = await LiveMember.join(server.url, other.humanInvite, "Ben");
    await ben.connect();
    const env = { HANDRAISE_INVITE: other.residentInvite };
    const removed = start(["Deploy?", "--json"], env);
    const { card } = await ben.next("card_opened");
    await ben.api.remove(card.resident.participantId);
    expect(await removed.exitCode()).toBe(2);
    expect(JSON.parse(removed.stdout)).toMatchObject({ state: "withdrawn" });
    expect(removed.stderr).toMatch(/Withdrawn: whoever asks was removed from the Room/);

    const closed = start(["Deploy?"], env);
    await ben.next("card_opened");
    await ben.api.close();
    expect(await closed.exitCode()).toBe(2);
    expect(closed.stdout).toMatch(/^Withdrawn: the Room has ended/);
    for (const { stdout, stderr } of [removed, closed]) {
      expect(stdout + stderr).not.toContain("Nothing was asked");
    }
  });

  it("lets no name act on the terminal", async () => {
    const mallory = await LiveMember.join(server.url, room.humanInvite, "Ana\u0301 [31m”\n");
    await mallory.connect();
    const option = "x=Yes\u001B[2J\u202Eno\u0007:allow_once";
    const asking = start(["De\u001B]0;owned\u0007ploy?", "--option", option]);
    const { card } = await mallory.next("card_opened");
    await asking.printed(/Waiting, \d:\d\d left: /);
    await mallory.send({ type: "decide", requestId: card.requestId, optionId: "x" });
    expect(await asking.exitCode()).toBe(0);
    expect(asking.stdout).toContain("Yes\\u{1b}[2J\\u{202e}no\\u{7}");
    expect(asking.stdout + asking.stderr).not.toMatch(ACTS);
    mallory.disconnect();
  });

  it("takes the invite from stdin, and leaves the details behind it to be refused clearly", async () => {
    await ana.connect();
    const asking = start(["Deploy?", "--invite", "-"], { HANDRAISE_INVITE: "" });
    asking.endInput(`${room.residentInvite}\n`);
    const { requestId } = await nextCard();
    await ana.send({ type: "decide", requestId, optionId: "allow_once" });
    expect(await asking.exitCode()).toBe(0);
    const both = start(["Deploy?", "--invite", "-", "--details", "-"]);
    expect(await both.exitCode()).toBe(3);
    expect(both.stderr).toMatch(/cannot both be stdin/);
  });

  it("takes a folder on stdin for an error, not for empty details", async () => {
    await ana.connect();
    const script = `"$NODE" "$MAIN" ask -q 'Deploy?' --details - < "$FOLDER"; echo "ended with $?"`;
    const shell = spawn("bash", ["-c", script], {
      env: {
        ...process.env,
        NODE: process.execPath,
        MAIN: `${ROOT}src/cli/main.ts`,
        FOLDER: folder,
        HANDRAISE_SERVER: server.url,
        HANDRAISE_INVITE: room.residentInvite,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [printed, complained] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
    expect(complained).toMatch(/^--details -: stdin is no file and no pipe\. Nothing was asked/);
    expect(printed).toBe("ended with 3\n");
    const { cards } = await ana.api.room();
    expect(cards).toEqual([]);
  });

  it.each([
    { optionId: "allow_once", prints: "deployed" },
    { optionId: "reject_once", prints: "stopped with 1" },
  ])("guards a line of a shell: $optionId", async ({ optionId, prints }) => {
    await ana.connect();
    const script = `"$NODE" "$MAIN" ask -q 'Deploy?' >/dev/null && echo deployed || echo "stopped with $?"`;
    const shell = spawn("bash", ["-c", script], {
      env: {
        ...process.env,
        NODE: process.execPath,
        MAIN: `${ROOT}src/cli/main.ts`,
        HANDRAISE_SERVER: server.url,
        HANDRAISE_INVITE: room.residentInvite,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const output = text(shell.stdout);
    const { requestId } = await nextCard();
    await ana.send({ type: "decide", requestId, optionId });
    expect((await output).trim()).toBe(prints);
  });
});
