import type { RoomPort } from "./room-port.ts";

/** An agent may do any number of things before the Room is joined. */
const LINES_KEPT = 10;

/** What there was to say in a Room before it was joined. */
export class EarlyLines {
  readonly #lines: string[] = [];
  #leftOut = 0;

  say(text: string): void {
    if (this.#lines.length < LINES_KEPT) this.#lines.push(text);
    else this.#leftOut += 1;
  }

  /** Says it in the Room that there is now. */
  sayIn(room: Pick<RoomPort, "say">): void {
    for (const line of this.#lines.splice(0)) room.say(line);
    if (this.#leftOut > 0) room.say(`${this.#leftOut} more lines of this kind were left out.`);
    this.#leftOut = 0;
  }
}
