import { randomUUID } from "node:crypto";
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from "playwright-core";
import { buildPageIfStale } from "../../scripts/build-page.ts";
import { createRoom } from "../../src/client/index.ts";
import type { PermissionOption, RoomCreated, ToolCall } from "../../src/protocol/index.ts";
import { launchBrowser } from "./browser.ts";
import { LiveMember } from "./live-member.ts";
import { LiveServer } from "./live-server.ts";

export const STD: PermissionOption[] = [
  { optionId: "allow-1", name: "Allow once", kind: "allow_once" },
  { optionId: "always-9", name: "Always allow", kind: "allow_always" },
  { optionId: "no-2", name: "Reject", kind: "reject_once" },
];

/** A tool call that runs a command. */
export function command(text: string, more: Partial<ToolCall> = {}): ToolCall {
  return { toolCallId: "t1", kind: "execute", title: text, rawInput: { command: text }, ...more };
}

/** A real server and a real browser, for one file of tests. */
export class PageBench {
  readonly server: LiveServer;
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  readonly #members: LiveMember[] = [];
  /** What no page may ever log: errors, and violations of its CSP. */
  readonly problems: string[] = [];

  static async start(): Promise<PageBench> {
    await buildPageIfStale();
    // Every test makes a Room of its own, all from one address.
    const server = new LiveServer({ RATE_LIMITS: "off" });
    const [browser] = await Promise.all([launchBrowser(), server.start()]);
    return new PageBench(server, browser);
  }

  private constructor(server: LiveServer, browser: Browser) {
    this.server = server;
    this.#browser = browser;
  }

  async end(): Promise<void> {
    await this.clear();
    await this.#browser.close();
    await this.server.end();
  }

  /** Ends one test. @throws where a page has logged an error. */
  async clearAfterPeace(): Promise<void> {
    const problems = [...this.problems];
    await this.clear();
    if (problems.length > 0) throw new Error(`a page logged: ${problems.join("\n")}`);
  }

  /** Closes what one test has opened. */
  async clear(): Promise<void> {
    for (const member of this.#members.splice(0)) member.disconnect();
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
    this.problems.length = 0;
  }

  /** A new Room with one resident, "claude". */
  async openRoom(): Promise<RoomScene> {
    const room = await createRoom({ server: this.server.url }, { name: "Release 4.2" });
    const claude = await this.join(room.residentInvite, "claude");
    return new RoomScene(this, room, claude);
  }

  async join(invite: string, name: string): Promise<LiveMember> {
    const member = await LiveMember.join(this.server.url, invite, name);
    await member.connect();
    this.#members.push(member);
    return member;
  }

  async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.#browser.newContext({
      viewport: { width: 1280, height: 1200 },
      // What it fetches, tests could not stand between.
      serviceWorkers: "block",
      ...options,
    });
    this.#contexts.push(context);
    context.on("console", (message) => {
      if (message.type() === "error") {
        this.problems.push(`${message.text()} (${message.location().url})`);
      }
    });
    context.on("weberror", (error) => this.problems.push(String(error.error())));
    return context;
  }
}

/** One Room, and how tests bring people and cards into it. */
export class RoomScene {
  readonly bench: PageBench;
  readonly room: RoomCreated;
  readonly claude: LiveMember;

  constructor(bench: PageBench, room: RoomCreated, claude: LiveMember) {
    this.bench = bench;
    this.room = room;
    this.claude = claude;
  }

  /** A person's page, joined and connected. `before` runs once the page exists, before it is opened. */
  async openPage(
    name: string,
    options: BrowserContextOptions = {},
    before: (page: Page) => Promise<void> = async () => {},
  ): Promise<RoomTab> {
    const context = await this.bench.newContext(options);
    const page = await context.newPage();
    const tab = new RoomTab(page);
    await before(page);
    await page.goto(this.room.humanUrl);
    await page.getByLabel("Your name").fill(name);
    await page.getByRole("button", { name: "Join the Room" }).click();
    await tab.connected();
    // Off whatever comes: a pointer that rests on a card keeps it in its place.
    await page.mouse.move(2, 2);
    return tab;
  }

  /** A person at a terminal. */
  joinHuman(name: string): Promise<LiveMember> {
    return this.bench.join(this.room.humanInvite, name);
  }

  /** Opens a card; resolves with its id. */
  async ask(
    toolCall: ToolCall,
    options: PermissionOption[] = STD,
    more: { expiresInMs?: number; maxExpiresInMs?: number } = {},
    resident: LiveMember = this.claude,
  ): Promise<string> {
    const requestId = randomUUID();
    await resident.api.request({ requestId, toolCall, options, ...more });
    return requestId;
  }
}

/** One page in a Room, and what it has sent. */
export class RoomTab {
  readonly page: Page;
  /** Every `decide` that left this page. */
  readonly decided: { requestId: string; optionId: string }[] = [];
  /** Every `dismiss`, by its request. */
  readonly dismissed: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on("websocket", (socket) => {
      socket.on("framesent", ({ payload }) => this.#record(String(payload)));
    });
  }

  #record(payload: string): void {
    if (!payload.startsWith("{")) return;
    const frame = JSON.parse(payload) as { type: string; requestId: string; optionId: string };
    const { requestId, optionId } = frame;
    if (frame.type === "decide") this.decided.push({ requestId, optionId });
    if (frame.type === "dismiss") this.dismissed.push(requestId);
  }

  async connected(): Promise<void> {
    await this.page.locator("[data-connection=live]").waitFor();
  }

  card(requestId: string): Locator {
    return this.page.locator(`[data-card="${requestId}"]`);
  }

  option(requestId: string, optionId: string): Locator {
    return this.card(requestId).locator(`[data-option="${optionId}"]`);
  }

  /** The page's own Refuse. */
  refusal(requestId: string): Locator {
    return this.card(requestId).locator("button[data-dismiss]");
  }

  /** Once it may be pressed. */
  async ready(requestId: string, optionId: string): Promise<Locator> {
    const option = this.option(requestId, optionId);
    await option.and(this.page.locator("[aria-disabled=false]")).waitFor();
    return option;
  }

  /** Lets a clock that stands still run until an option may be pressed: its half second begins anew whenever a frame sees its card move. */
  async runUntilReady(requestId: string, optionId: string): Promise<Locator> {
    const ready = this.option(requestId, optionId).and(this.page.locator("[aria-disabled=false]"));
    for (let ran = 0; (await ready.count()) === 0; ran += 100) {
      if (ran >= 10_000) throw new Error(`${optionId} never got ready`);
      await this.page.clock.runFor(100);
    }
    return ready;
  }

  settled(requestId: string): Locator {
    return this.page.locator(`[data-settled-card="${requestId}"]`);
  }
}
