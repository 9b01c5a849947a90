import { RoomSocket } from "../client/index.ts";
import { monotonicClock, settledWithin } from "./clock.ts";

const CLOSE_WITHIN_MS = 10_000;

/**
 * Closes the cards that an earlier process of this resident left open, over a socket of its own: agents take their time to start, and
 * nobody is to press a button behind which nobody waits. Never throws.
 */
export async function closeLeftovers(address: { server: string; token: string }): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket: RoomSocket = new RoomSocket({
    ...address,
    onWelcome: ({ cards }) => {
      if (cards.length === 0) resolve();
      else socket.send({ type: "resume", parked: [], answered: [] }).then(() => resolve(), resolve);
    },
    onFrame: () => undefined,
    onState: ({ state }) => {
      if (state === "closed") resolve();
    },
  });
  await settledWithin(promise, CLOSE_WITHIN_MS, monotonicClock);
  socket.close();
}
