import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import {
  client,
  type ClientContext,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { Inbox } from "../support/inbox.ts";

const MAIN = fileURLToPath(new URL("../../src/demo-agent/main.ts", import.meta.url));

interface Ask {
  params: RequestPermissionRequest;
  /** What had been said when it came. */
  updatesBefore: SessionUpdate[];
  choose(optionId: string): void;
  cancel(): void;
}

/** The demo agent over real stdio, with a test as its client. */
class Demo implements AsyncDisposable {
  readonly asks = new Inbox<Ask>();
  readonly updates: SessionUpdate[] = [];
  readonly #child = spawn(process.execPath, [MAIN], { stdio: ["pipe", "pipe", "inherit"] });
  readonly exited = once(this.#child, "exit");
  readonly #connection = client()
    .onNotification("session/update", ({ params }) => void this.updates.push(params.update))
    .onRequest("session/request_permission", ({ params }) => this.#take(params))
    .connect(
      ndJsonStream(
        Writable.toWeb(this.#child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(this.#child.stdout) as unknown as ReadableStream<Uint8Array>,
      ),
    );

  get agent(): ClientContext {
    return this.#connection.agent;
  }

  async open(): Promise<string> {
    await this.agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await this.agent.request("session/new", {
      cwd: process.cwd(),
      mcpServers: [],
    });
    return sessionId;
  }

  prompt(sessionId: string) {
    const prompt = [{ type: "text" as const, text: "go" }];
    return this.agent.request("session/prompt", { sessionId, prompt });
  }

  /** Everything that it said. */
  get text(): string {
    return this.updates
      .map((update) =>
        update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
          ? update.content.text
          : "",
      )
      .join("");
  }

  statuses(toolCallId: string): unknown[] {
    return this.updates.flatMap((update) =>
      "toolCallId" in update && update.toolCallId === toolCallId ? [update.status] : [],
    );
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.endInput();
    await this.exited;
  }

  #take(params: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    return new Promise((resolve) => {
      this.asks.put({
        params,
        updatesBefore: [...this.updates],
        choose: (optionId) => resolve({ outcome: { outcome: "selected", optionId } }),
        cancel: () => resolve({ outcome: { outcome: "cancelled" } }),
      });
    });
  }
}

function folderOf({ params }: Ask): string {
  return (params.toolCall.rawInput as { cwd: string }).cwd;
}

describe("the demo agent", () => {
  it("asks before a command and before a file, twice in one turn, and does both where allowed", async () => {
    await using demo = new Demo();
    const turn = demo.prompt(await demo.open());

    const command = await demo.asks.next();
    const { toolCall, options } = command.params;
    expect(toolCall).toMatchObject({
      kind: "execute",
      rawInput: { command: expect.stringContaining("greeting.txt"), cwd: expect.any(String) },
    });
    expect(options).toEqual([
      { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
      { optionId: "allow_always", name: "Allow for this session", kind: "allow_always" },
      { optionId: "reject_once", name: "Reject", kind: "reject_once" },
    ]);
    expect(command.updatesBefore.at(-1)).toMatchObject({
      sessionUpdate: "tool_call",
      toolCallId: toolCall.toolCallId,
      status: "pending",
    });
    expect(existsSync(`${folderOf(command)}/greeting.txt`)).toBe(false);
    command.choose("allow_once");

    const edit = await demo.asks.next();
    expect(existsSync(`${folderOf(command)}/greeting.txt`)).toBe(true);
    expect(edit.params.toolCall).toMatchObject({
      kind: "edit",
      locations: [{ path: `${folderOf(command)}/notes.txt` }],
      content: [
        {
          type: "diff",
          path: `${folderOf(command)}/notes.txt`,
          oldText: null,
          newText: expect.any(String),
        },
      ],
    });
    expect(existsSync(`${folderOf(command)}/notes.txt`)).toBe(false);
    edit.choose("allow_once");

    expect(await turn).toMatchObject({ stopReason: "end_turn" });
    expect(demo.text).toContain("The folder held: greeting.txt, notes.txt.");
    for (const { params } of [command, edit]) {
      expect(demo.statuses(params.toolCall.toolCallId)).toEqual([
        "pending",
        "in_progress",
        "completed",
      ]);
    }
    expect(existsSync(folderOf(command))).toBe(false);
  });

  // B11
  it.each([
    ["a refusing option", (ask: Ask) => ask.choose("reject_once")],
    ["an option that it did not offer", (ask: Ask) => ask.choose("approved")],
    ["cancelled", (ask: Ask) => ask.cancel()],
  ])("does nothing on %s, says so, and goes on", async (_, answer) => {
    await using demo = new Demo();
    const turn = demo.prompt(await demo.open());
    const command = await demo.asks.next();
    answer(command);
    const edit = await demo.asks.next();
    expect(existsSync(`${folderOf(command)}/greeting.txt`)).toBe(false);
    answer(edit);
    expect(await turn).toMatchObject({ stopReason: "end_turn" });
    expect(demo.text).toContain("I did not run the command.");
    expect(demo.text).toContain("I did not write notes.txt.");
    expect(demo.text).toContain("The folder held: nothing.");
    expect(demo.statuses(command.params.toolCall.toolCallId)).toEqual(["pending", "failed"]);
  });

  it("asks no more for a kind that was allowed for the session, and asks again in another", async () => {
    await using demo = new Demo();
    const sessionId = await demo.open();
    const first = demo.prompt(sessionId);
    (await demo.asks.next()).choose("allow_always");
    (await demo.asks.next()).choose("reject_once");
    await first;
    const second = demo.prompt(sessionId);
    const edit = await demo.asks.next();
    expect(edit.params.toolCall.kind).toBe("edit");
    edit.choose("reject_once");
    await second;
    const other = await demo.agent.request("session/new", { cwd: process.cwd(), mcpServers: [] });
    const third = demo.prompt(other.sessionId);
    const command = await demo.asks.next();
    expect(command.params.toolCall.kind).toBe("execute");
    command.cancel();
    (await demo.asks.next()).cancel();
    await third;
  });

  it("ends its turn as cancelled on session/cancel, with its call ended and its folder removed", async () => {
    await using demo = new Demo();
    const sessionId = await demo.open();
    const turn = demo.prompt(sessionId);
    const command = await demo.asks.next();
    await demo.agent.notify("session/cancel", { sessionId });
    command.cancel();
    expect(await turn).toMatchObject({ stopReason: "cancelled" });
    expect(demo.statuses(command.params.toolCall.toolCallId)).toEqual(["pending", "failed"]);
    expect(existsSync(folderOf(command))).toBe(false);
    expect(demo.asks.drain()).toEqual([]);
  });

  it("takes one turn at a time in a session and knows no session that it did not open", async () => {
    await using demo = new Demo();
    const sessionId = await demo.open();
    const turn = demo.prompt(sessionId);
    const command = await demo.asks.next();
    await expect(demo.prompt(sessionId)).rejects.toMatchObject({ code: -32600 });
    await expect(demo.prompt("elsewhere")).rejects.toMatchObject({ code: -32002 });
    command.cancel();
    (await demo.asks.next()).cancel();
    await turn;
  });

  it("removes its folder and exits when its input ends in the middle of a turn", async () => {
    await using demo = new Demo();
    demo.prompt(await demo.open()).catch(() => undefined);
    const command = await demo.asks.next();
    expect(existsSync(folderOf(command))).toBe(true);
    demo.endInput();
    expect(await demo.exited).toEqual([0, null]);
    expect(existsSync(folderOf(command))).toBe(false);
  });
});
