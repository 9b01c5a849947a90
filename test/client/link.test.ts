import { expect, test } from "vitest";
import { parseInvite } from "../../src/client/index.ts";
import { ROOM_ID, SECRET } from "./client-end.ts";

const HUMAN = `hr1.hi.${ROOM_ID}.${SECRET}`;
const RESIDENT = `hr1.ri.${ROOM_ID}.${SECRET}`;

test.each([HUMAN, RESIDENT])("a bare invite names no server", (invite) => {
  expect(parseInvite(invite)).toEqual({ invite });
  expect(parseInvite(` \n${invite}\t`)).toEqual({ invite });
});

test.each([
  [`https://room.example/r#${HUMAN}`, "https://room.example", HUMAN],
  [`http://127.0.0.1:8787/r#${RESIDENT}`, "http://127.0.0.1:8787", RESIDENT],
  [`https://ROOM.example:443/deep/path?x=1#${HUMAN}`, "https://room.example", HUMAN],
  [`  https://ana:pass@room.example/r#${HUMAN}\n`, "https://room.example", HUMAN],
  [`http://[::1]:8787/r#${HUMAN}`, "http://[::1]:8787", HUMAN],
])("the link %s names its origin and carries its invite", (link, server, invite) => {
  expect(parseInvite(link)).toEqual({ invite, server });
});

test.each([
  ["nothing", ""],
  ["prose", "join my room"],
  ["a link without a fragment", "https://room.example/r"],
  ["a fragment that is no credential", "https://room.example/r#top"],
  ["an invite in a query, where it would be logged", `https://room.example/r?${HUMAN}`],
  ["a human's token", `hr1.ht.${ROOM_ID}.${SECRET}`],
  ["a resident's token in a link", `https://room.example/r#hr1.rt.${ROOM_ID}.${SECRET}`],
  ["an invite cut short", HUMAN.slice(0, -1)],
  ["an invite with a tail", `${HUMAN}.`],
  ["two invites", `${HUMAN} ${RESIDENT}`],
  ["another scheme", `javascript:x#${HUMAN}`],
  ["a file", `file:///r#${HUMAN}`],
])("%s is no invite", (_, text) => {
  expect(parseInvite(text)).toBeUndefined();
});
