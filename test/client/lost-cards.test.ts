import { expect, test } from "vitest";
import { makeCard } from "../page/make-card.ts";
import {
  messageFrame,
  openClient,
  openWelcomed,
  useScriptedRoom,
  welcomeFrame,
} from "./client-end.ts";

const marker = messageFrame("marker");
/** As a newer server might send one. */
const strange = { ...makeCard({ requestId: "card-0002" }), state: "half_decided" };

test("a card that no client of this version can read is told of, by its request", async () => {
  const client = await openWelcomed();
  client.end.send({ type: "card_opened", card: strange, serverTime: 1 });
  client.end.send({ type: "card_opened", card: { requestId: 7 }, serverTime: 1 });
  client.end.send({ type: "card_opened" });
  client.end.send(marker);
  expect(await client.told.next()).toEqual({ told: "bad", type: "card_opened" });
  expect(await client.told.next()).toEqual({ told: "lost", requestId: "card-0002" });
  for (let n = 0; n < 2; n += 1) {
    expect(await client.told.next()).toEqual({ told: "bad", type: "card_opened" });
    expect(await client.told.next()).toEqual({ told: "lost", requestId: undefined });
  }
  expect(await client.told.next()).toEqual({ told: "frame", frame: marker });
});

test("a welcome with such a card is taken without it, and the card told of after it", async () => {
  const room = await useScriptedRoom();
  const client = openClient(room.server);
  const end = await room.sockets.next();
  const card = makeCard({ requestId: "card-0001" });
  end.send({ ...welcomeFrame(), cards: [strange, card], recent: [strange, null] });
  const welcome = { ...welcomeFrame(), cards: [card], recent: [] };
  expect(await client.told.next()).toEqual({ told: "welcome", welcome });
  expect(await client.told.next()).toEqual({ told: "state", state: { state: "open" } });
  expect(await client.told.next()).toEqual({ told: "lost", requestId: "card-0002" });
});

test("a welcome that is broken otherwise is none", async () => {
  const room = await useScriptedRoom();
  const client = openClient(room.server);
  const end = await room.sockets.next();
  end.send({ ...welcomeFrame(), cards: [strange], room: null });
  expect(await client.told.next()).toEqual({ told: "bad", type: "welcome" });
});
