import type { IncomingAsk } from "../incoming-ask.ts";

/** What the proxy tells the permission bridge. A bridge asks for any session, with or without a turn. */
export interface ProxyBridge {
  startTurn(sessionId: string, turnId: string): void;
  cancelTurn(sessionId: string): void;
  endTurn(sessionId: string, turnId: string): void;
  /** Takes the raw params of one `session/update`. `findFlaw`: what of it could not be kept as it was sent. */
  noteUpdate(params: unknown, findFlaw?: () => string | undefined): void;
  /** Takes one question; never throws, and gives it exactly one answer. */
  ask(incoming: IncomingAsk): void;
  endAgent(): void;
}
