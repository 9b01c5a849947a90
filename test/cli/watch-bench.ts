import { AnswerUnknown, type ClientFrame, type RoomApi } from "../../src/client/index.ts";
import { makePaint } from "../../src/cli/colour.ts";
import type { View } from "../../src/cli/watch/screen.ts";
import { Watcher } from "../../src/cli/watch/watcher.ts";
import type { Card, FrameOf, PermissionOption } from "../../src/protocol/index.ts";

export const OPTIONS: PermissionOption[] = [
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "always", name: "Always allow", kind: "allow_always" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];

const NOW = 1_800_000_000_000;

export function makeCard(title: string, changes: Partial<Card> = {}): Card {
  return {
    requestId: `request-${title}`,
    resident: { participantId: "resident-abcdef", name: "Builder" },
    toolCall: { toolCallId: "1", title, kind: "execute", rawInput: { command: title } },
    evidence: { inline: true, bytes: 100 },
    options: OPTIONS,
    openedAt: NOW,
    expiresAt: NOW + 300_000,
    state: "pending",
    delivery: { state: "none", at: NOW },
    ...changes,
  };
}

export function makeWelcome(cards: Card[], recent: Card[] = []): FrameOf<"welcome"> {
  return {
    type: "welcome",
    protocol: 1,
    serverTime: NOW,
    you: { participantId: "you", role: "human", name: "Ana" },
    room: { roomId: "room", name: "Room" },
    participants: [{ participantId: "you", role: "human", name: "Ana", present: true }],
    cards,
    recent,
    messages: [],
    limits: {
      bodyBytes: 1,
      frameBytes: 1,
      toolCallBytes: 1,
      messageBytes: 1,
      expiresInMs: { default: 1, min: 1, max: 1 },
      pendingPerResident: 1,
    },
  };
}

/** A watcher whose screen, keyboard and Room a test plays. Needs fake timers. */
export class WatchBench {
  readonly printed: string[] = [];
  readonly sent: ClientFrame[] = [];
  /** What is being typed, without Enter. */
  typing = "";
  /** How the next frame is answered; by default never. */
  answer: () => Promise<FrameOf<"accepted">> = () => new Promise(() => undefined);
  readonly watcher: Watcher;

  constructor(api: Partial<Pick<RoomApi, "toolCall" | "status">> = {}) {
    const screen: View = {
      columns: 80,
      print: (lines) => void this.printed.push(...lines),
      discardTyped: () => {
        const { typing } = this;
        this.typing = "";
        return typing;
      },
      ring: () => undefined,
    };
    this.watcher = new Watcher({
      screen,
      api: api as RoomApi,
      socket: {
        send: (frame) => {
          this.sent.push(frame);
          return this.answer();
        },
      },
      paint: makePaint(false),
    });
  }

  get text(): string {
    return this.printed.join("\n");
  }

  /** The next answer never comes: the line is cut first. */
  cutBeforeAnswer(): void {
    this.answer = () => Promise.reject(new AnswerUnknown());
  }
}
