import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRoom } from "../../src/client/index.ts";
import type { PermissionOption, RoomCreated } from "../../src/protocol/index.ts";
import { Handraise } from "../support/handraise.ts";
import { LiveMember } from "../support/live-member.ts";
import { LiveServer } from "../support/live-server.ts";

const server = new LiveServer();
const OPTIONS: PermissionOption[] = [
  { optionId: "opt-once", name: "Allow once", kind: "allow_once" },
  { optionId: "opt-always", name: "Always allow", kind: "allow_always" },
  { optionId: "opt-no", name: "Reject", kind: "reject_once" },
];

let room: RoomCreated;
let agent: LiveMember;
let watching: Handraise;
let parked: string[] = [];

beforeAll(() => server.start());
afterAll(() => server.end());
beforeEach(async () => {
  parked = [];
  room = await createRoom({ server: server.url }, {});
  agent = await LiveMember.join(server.url, room.residentInvite, "Builder");
  await agent.connect(() => parked);
  watching = new Handraise(["watch", "--name", "Ana"], {
    env: { HANDRAISE_INVITE: room.humanUrl },
  });
  await watching.printed(/You are Ana in/);
});
afterEach(async () => {
  agent.disconnect();
  await watching.kill();
});

async function ask(toolCall: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const requestId = crypto.randomUUID();
  parked.push(requestId);
  await agent.api.request({
    requestId,
    toolCall: { toolCallId: requestId, ...toolCall },
    options: OPTIONS,
    ...more,
  });
  return requestId;
}

function command(text: string): Record<string, unknown> {
  return { title: text, kind: "execute", rawInput: { command: text } };
}

function decisionFor(requestId: string) {
  return agent.next("decision", (frame) => frame.requestId === requestId);
}

/** What a terminal would act on. */
const ACTS = /[^\P{C}\n]|[\u2028\u2029]/u;

describe("handraise watch", () => {
  it("shows a card whole, and sends the option whose number is typed", async () => {
    const requestId = await ask({
      title: "Tidy up",
      kind: "edit",
      rawInput: { command: "rm -r build", cwd: "/repo", depth: 3 },
      locations: [{ path: "/repo/a.ts", line: 7 }],
      content: [
        { type: "diff", path: "/repo/a.ts", oldText: "one\ntwo\n", newText: "one\n2\n" },
        { type: "content", content: { type: "text", text: "because it is old" } },
      ],
      extra: true,
    });
    await watching.printed(/Your answer to “rm -r build”\? 1 to 3/);
    for (const line of [
      /Builder \(\w+\) asks: Edit a file/,
      /until \d\d:\d\d:\d\d \([45]:\d\d left/,
      /│ Tidy up\n/,
      /│ rm -r build\n/,
      /│ \/repo\n/,
      /│ \/repo\/a\.ts\n[^]*│ -two\n {2}│ \+2\n/,
      /│ \/repo\/a\.ts, line 7\n/,
      /│ because it is old\n/,
      /"depth": 3/,
      /"extra": true/,
      / 1 {2}Allow once\n +allows once\n/,
      / 2 {2}Always allow\n +allows and may be remembered/,
      / 3 {2}Reject\n +refuses once\n/,
    ]) {
      expect(watching.stdout).toMatch(line);
    }
    watching.write("1\n");
    const { outcome } = await decisionFor(requestId);
    expect(outcome).toEqual({ outcome: "selected", optionId: "opt-once" });
    await watching.printed(/1 = “Allow once” for “rm -r build”: sending/);
    await watching.printed(/“rm -r build”: decided by you: “Allow once”/);
    await agent.send({ type: "decision_ack", requestId, applied: true });
    await watching.printed(/“rm -r build”: applied/);
  });

  it("refuses without an option on r", async () => {
    const requestId = await ask(command("npm test"));
    await watching.printed(/Your answer to/);
    watching.write("r\n");
    const { settlement } = await decisionFor(requestId);
    expect(settlement).toMatchObject({ state: "dismissed", by: { name: "Ana" } });
    await watching.printed(/dismissed by you/);
  });

  it("asks once more before it presses what the agent may remember", async () => {
    const requestId = await ask(command("npm test"));
    await watching.printed(/Your answer to/);
    // The second number was typed before the question: it confirms nothing.
    watching.write("2\n2\n");
    await watching.printed(/“2” was typed before/);
    await watching.printed(/2 = “Always allow” for “npm test”\. .*Type 2 again, or y/);
    expect((await agent.api.status(requestId)).state).toBe("pending");
    watching.write("y\n");
    const { outcome } = await decisionFor(requestId);
    expect(outcome).toEqual({ outcome: "selected", optionId: "opt-always" });
  });

  it("lets nothing decide that was typed before the card was shown", async () => {
    watching.write("1\n1\n");
    await watching.printed(/No card waits\. “1” was not used/);
    const first = await ask(command("first"));
    await watching.printed(/asks: Run a command/);
    // The card stands there, but has not been put to the person yet.
    watching.write("1\n");
    await watching.printed(/“1” was typed before this card was put to you/);
    await watching.printed(/Your answer to “first”/);
    const second = await ask(command("second"));
    await watching.printed(/asks too: “second”/);
    // Both lines come at once: only the first card was shown when they were typed.
    watching.write("3\n1\n");
    expect((await decisionFor(first)).outcome).toEqual({ outcome: "selected", optionId: "opt-no" });
    await watching.printed(/Your answer to “second”/);
    expect((await agent.api.status(second)).state).toBe("pending");
    watching.write("3\n");
    expect((await decisionFor(second)).outcome).toMatchObject({ optionId: "opt-no" });
  });

  it("shows hostile text as text, and no line of it as one of its own", async () => {
    const hostile =
      "ok\u001B[2J\u009B1A\u202Egnp.exe\u200B\u3164\r\nOptions, as they were offered:\n   1  Reject";
    await ask(
      {
        title: hostile,
        kind: `\u001B]0;x\u0007`,
        rawInput: { command: hostile, [hostile]: hostile },
      },
      {
        options: [
          { optionId: "x\u001B[A", name: `Deny\n   2  Allow\u001B[31m`, kind: "allow_once" },
        ],
      },
    );
    await watching.printed(/Your answer to .*\? 1, r dismiss/);
    expect(watching.stdout).not.toMatch(ACTS);
    expect(watching.stdout).toContain(
      "  │ ok\\u{1b}[2J\\u{9b}1A\\u{202e}gnp.exe\\u{200b}\\u{3164}\\u{d}\n",
    );
    expect(watching.stdout.match(/^Options, as they were offered:$/gm)).toHaveLength(1);
    expect(watching.stdout).toContain("   1  Deny\\n   2  Allow\\u{1b}[31m\n");
    expect(watching.stdout).toMatch(/r {2}dismisses: it cancels the request/);
  });

  it("keeps allowing locked until the whole of a large request is here and shown", async () => {
    const tail = "; rm -rf important";
    const requestId = await ask(command(`echo ${"x".repeat(60_000)}${tail}`));
    await watching.printed(/This is a summary\. Loading the whole request/);
    await watching.printed(/; rm -rf important\n/);
    await watching.printed(/Your answer to/);
    watching.write("1\n");
    expect((await decisionFor(requestId)).outcome).toMatchObject({ optionId: "opt-once" });
  });

  it("tells who settled a card elsewhere, and turns to the next", async () => {
    const ben = await LiveMember.join(server.url, room.humanInvite, "Ben");
    await ben.connect();
    await watching.printed(/Ben is here/);
    const first = await ask(command("first"));
    await watching.printed(/Your answer to “first”/);
    await ask(command("second"));
    await watching.printed(/asks too: “second”/);
    watching.write("n\n");
    await watching.printed(/Your answer to “second”/);
    watching.write("p\n");
    const from = watching.stdout.length;
    await watching.printed(/Your answer to “first”/, from);
    await ben.send({ type: "decide", requestId: first, optionId: "opt-no" });
    await watching.printed(/“first”: decided by Ben: “Reject”, \d\d:\d\d:\d\d/);
    const decided = watching.stdout.indexOf("decided by Ben");
    await watching.printed(/Your answer to “second”/, decided);
    expect(watching.stdout.slice(decided)).not.toMatch(/Your answer to “first”/);
    ben.disconnect();
  });

  it("gives more time, talks without deciding, and leaves its place on q", async () => {
    const requestId = await ask(command("npm test"), {
      expiresInMs: 60_000,
      maxExpiresInMs: 600_000,
    });
    await watching.printed(/Your answer to/);
    watching.write("m\n");
    await watching.printed(/“npm test” has until .* now/);
    watching.write("say yes, allow it\n");
    const { message } = await agent.next("message_posted");
    expect(message.text).toBe("yes, allow it");
    expect((await agent.api.status(requestId)).state).toBe("pending");
    watching.write("q\n");
    expect(await watching.exitCode()).toBe(0);
    const { participants } = await agent.api.room();
    expect(participants.some((one) => one.role === "human" && one.present)).toBe(false);
  });

  it("addresses an agent by how its name begins, and says whom it meant", async () => {
    watching.write("to @Buil fix the tests\n");
    const { message } = await agent.next("message_posted");
    expect(message).toMatchObject({ text: "fix the tests", from: { name: "Ana" } });
    const { you } = await agent.api.room();
    expect(message.to).toBe(you.participantId);
    await watching.printed(/Ana says to Builder \(\w+\), which answers no card:\n.*fix the tests/);
    watching.write("to Nobody hello\n");
    await watching.printed(/Not said\. Nobody of that name is here\. Here: Builder \(\w+\)/);
  });

  it("shows a script's question as one, with what is to be read before the answer", async () => {
    const question = "Deploy 4.2?";
    const texts = [question, "one change"];
    await ask({
      title: question,
      kind: "other",
      content: texts.map((text) => ({ type: "content", content: { type: "text", text } })),
    });
    await watching.printed(/Your answer to “Deploy 4\.2\?”\?/);
    expect(watching.stdout).toMatch(/── Builder \(\w+\) asks a question\n/);
    expect(watching.stdout).toContain("Question:\n  │ Deploy 4.2?\nDetails:\n  │ one change\n");
  });

  it("says where it connects to while no answer comes", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const waiting = new Handraise(["watch"], {
      env: { HANDRAISE_INVITE: room.humanInvite, HANDRAISE_SERVER: `http://${host}` },
    });
    await waiting.printed(/Connecting/);
    expect(waiting.stderr).toBe(`Connecting to ${host} …\n`);
    await waiting.kill();
    silent.close();
  });

  it("prints frames as JSON, in which nothing acts, and answers nothing then", async () => {
    const reading = new Handraise(["watch", "--json"], {
      env: { HANDRAISE_INVITE: room.humanUrl },
    });
    await reading.printed(/"type":"welcome"/);
    const requestId = await ask(command("a\u009B\u202E\u{E0061}b"));
    reading.write("1\n");
    await reading.printed(/"type":"card_opened".*\n/);
    expect(reading.stdout).not.toMatch(ACTS);
    const opened = reading.stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { type: string; card?: { toolCall: unknown } })
      .find((frame) => frame.type === "card_opened");
    expect(opened?.card?.toolCall).toMatchObject({ title: "a\u009B\u202E\u{E0061}b" });
    expect((await agent.api.status(requestId)).state).toBe("pending");
    reading.signal("SIGTERM");
    expect(await reading.exitCode()).toBe(0);
  });

  it("takes no resident's invite", async () => {
    const wrong = new Handraise(["watch"], {
      env: { HANDRAISE_INVITE: room.residentInvite, HANDRAISE_SERVER: server.url },
    });
    expect(await wrong.exitCode()).toBe(3);
    expect(wrong.stderr).toMatch(/invite for an agent, which cannot answer/);
  });
});

describe("handraise watch on a broken line", () => {
  it("says so, and what became of the cards meanwhile", async () => {
    const first = await ask(command("first"));
    await watching.printed(/Your answer to “first”/);
    await server.kill();
    await watching.printed(/Connection lost/);
    watching.write("1\n");
    await watching.printed(/not sent, there is no connection/);
    await server.start();
    await watching.printed(/Connected again[^]*Your answer to “first”/);
    expect(watching.stdout.match(/Connection lost/g)).toHaveLength(1);
    watching.write("1\n");
    await watching.printed(/“first”: decided by you: “Allow once”/);
    expect((await agent.api.status(first)).outcome).toMatchObject({ optionId: "opt-once" });
  });
});
