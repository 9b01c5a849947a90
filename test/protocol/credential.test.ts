import * as fc from "fast-check";
import { expect, test } from "vitest";
import { credential, parseCredential, roomId } from "../../src/protocol/index.ts";

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const ROOM = encode(new Uint8Array(32).fill(7));
const SECRET = encode(new Uint8Array(32).fill(255));
const VALID = `hr1.hi.${ROOM}.${SECRET}`;

test("property: every 32 bytes in canonical base64url make a room id and a credential of each kind", () => {
  fc.assert(
    fc.property(bytes32, bytes32, fc.constantFrom("hi", "ri", "ht", "rt"), (room, secret, kind) => {
      const text = `hr1.${kind}.${encode(room)}.${encode(secret)}`;
      expect(parseCredential(text)).toEqual({ kind, roomId: encode(room) });
      expect(credential.parse(text)).toBe(text);
      expect(roomId.parse(encode(room))).toBe(encode(room));
    }),
  );
});

test("the last character has one spelling: the 48 others decode to the same bytes and are refused", () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const stem = ROOM.slice(0, 42);
  const canonical = [...alphabet].filter(
    (last) => encode(Buffer.from(stem + last, "base64url")) === stem + last,
  );
  const accepted = [...alphabet].filter((last) => roomId.safeParse(stem + last).success);
  expect(accepted).toEqual(canonical);
  expect(accepted).toHaveLength(16);
  for (const last of alphabet) {
    const inRoom = parseCredential(`hr1.hi.${stem}${last}.${SECRET}`);
    const inSecret = parseCredential(`hr1.hi.${ROOM}.${SECRET.slice(0, 42)}${last}`);
    expect(inRoom !== undefined).toBe(canonical.includes(last));
    expect(inSecret !== undefined).toBe(canonical.includes(last));
  }
});

test.each([
  ["nothing", ""],
  ["another version", VALID.replace("hr1", "hr2")],
  ["an unknown kind", VALID.replace(".hi.", ".xx.")],
  ["a kind in capitals", VALID.replace(".hi.", ".HI.")],
  ["no kind", VALID.replace(".hi.", ".")],
  ["padding", `${VALID}=`],
  ["a line feed at the end", `${VALID}\n`],
  ["a space before", ` ${VALID}`],
  ["a fifth part", `${VALID}.x`],
  ["plain base64", VALID.replace(/_/g, "/")],
  ["a short secret", VALID.slice(0, -1)],
  ["a long secret", `${VALID}A`],
  ["other digits", VALID.replace("hr1", "hr１")],
  ["two", `${VALID},${VALID}`],
  ["Bearer and all", `Bearer ${VALID}`],
])("%s is no credential", (_, text) => {
  expect(parseCredential(text)).toBeUndefined();
  expect(credential.safeParse(text).success).toBe(false);
});

test("property: no text throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(parseCredential(text)).toBeUndefined();
    }),
  );
});

test("an issue does not quote the credential", () => {
  const issues = credential.safeParse(`${VALID}=`).error?.issues;
  expect(JSON.stringify(issues)).not.toContain(SECRET);
  expect(JSON.stringify(issues)).not.toContain(ROOM);
});
