import type { Page, WebSocketRoute } from "playwright-core";
import type { RoomFrame } from "../../src/protocol/index.ts";

/** What stands between a page and its Room. */
export interface Line {
  /** Frames of the page that the Room is to get only when `release` is called. */
  readonly held: string[];
  release(): void;
  /** Says something to the page in the Room's stead. */
  tell(frame: RoomFrame): void;
  /** Ends the page's socket, as a network does. */
  cut(): void;
}

interface Faults {
  /** Types of the page's frames that are held back. */
  holds?: readonly string[];
  /** Types of the Room's frames that are lost. */
  loses?: readonly string[];
}

/** Stands between a page and its Room: holds some of the page's frames back, and loses some of the Room's. */
export async function between(page: Page, faults: Faults = {}): Promise<Line> {
  const { holds = ["decide"], loses = [] } = faults;
  let pageSide: WebSocketRoute | undefined;
  let roomSide: WebSocketRoute | undefined;
  const held: string[] = [];
  await page.routeWebSocket("**/api/room/socket", (route) => {
    const server = route.connectToServer();
    pageSide = route;
    roomSide = server;
    route.onMessage((message) => {
      if (holds.includes(typeOf(message))) held.push(String(message));
      else server.send(message);
    });
    server.onMessage((message) => {
      if (!loses.includes(typeOf(message))) route.send(message);
    });
  });
  return {
    held,
    release: () => {
      for (const message of held.splice(0)) roomSide?.send(message);
    },
    tell: (frame) => pageSide?.send(JSON.stringify(frame)),
    cut: () => void pageSide?.close({ code: 1012 }),
  };
}

function typeOf(message: string | Buffer): string {
  const text = String(message);
  return text.startsWith("{") ? (JSON.parse(text) as { type: string }).type : text;
}
