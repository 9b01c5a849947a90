import * as fc from "fast-check";
import { expect, test } from "vitest";
import { optionId, permissionOption, permissionOptions } from "../../src/protocol/index.ts";

const option = { optionId: "allow", name: "Allow", kind: "allow_once" };
const accepts = (value: unknown) => permissionOption.safeParse(value).success;
const offers = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ ...option, optionId: `o${n}` }));

test("1 to 32 options", () => {
  expect(permissionOptions.safeParse([]).success).toBe(false);
  expect(permissionOptions.safeParse(offers(1)).success).toBe(true);
  expect(permissionOptions.safeParse(offers(32)).success).toBe(true);
  expect(permissionOptions.safeParse(offers(33)).success).toBe(false);
});

test.each([
  ["ASCII", "a", 1],
  ["two bytes each", "é", 2],
  ["three bytes each", "日", 3],
  ["four bytes each", "\u{1f44d}", 4],
])("sizes are UTF-8 bytes: %s", (_, character, bytes) => {
  const fill = (size: number) =>
    character.repeat(Math.floor(size / bytes)) + "x".repeat(size % bytes);
  expect(accepts({ ...option, optionId: fill(512) })).toBe(true);
  expect(accepts({ ...option, optionId: fill(513) })).toBe(false);
  expect(accepts({ ...option, name: fill(2048) })).toBe(true);
  expect(accepts({ ...option, name: fill(2049) })).toBe(false);
  expect(accepts({ ...option, kind: fill(64) })).toBe(true);
  expect(accepts({ ...option, kind: fill(65) })).toBe(false);
});

test("an id has one byte at least; a name may be empty; a kind may be anything or missing", () => {
  expect(accepts({ ...option, optionId: "" })).toBe(false);
  expect(accepts({ ...option, name: "" })).toBe(true);
  expect(accepts({ optionId: "a", name: "n" })).toBe(true);
  expect(accepts({ ...option, kind: "allow_until_tuesday" })).toBe(true);
  expect(accepts({ ...option, kind: "" })).toBe(true);
});

test.each([
  null,
  undefined,
  "allow",
  [],
  {},
  { optionId: "a" },
  { name: "n" },
  { optionId: 1, name: "n" },
  { optionId: "a", name: null },
  { optionId: "a", name: "n", kind: null },
  { optionId: "\ud800", name: "n" },
  { optionId: "a", name: "\udc00" },
  { optionId: "a", name: "n", _meta: ["\ud800"] },
])("%j is no option, alone or in a list", (value) => {
  expect(accepts(value)).toBe(false);
  expect(permissionOptions.safeParse([value]).success).toBe(false);
  expect(permissionOptions.safeParse([option, value, value]).success).toBe(false);
});

test.each([null, undefined, {}, "x", { length: 1, 0: option }])("%j is no list", (value) => {
  expect(permissionOptions.safeParse(value).success).toBe(false);
});

test("an id offered twice is refused, and the issue says where", () => {
  const result = permissionOptions.safeParse([option, ...offers(1), { ...option, name: "Again" }]);
  expect(result.error?.issues).toMatchObject([{ path: [2, "optionId"] }]);
});

test("ids that only look alike are distinct", () => {
  const ids = [
    "a",
    " a",
    "a ",
    "a\n",
    "A",
    "a\u0000",
    "\ufeffa",
    "á",
    "a\u0301",
    "ａ",
    "__proto__",
  ];
  const options = ids.map((id) => ({ optionId: id, name: "same" }));
  expect(permissionOptions.parse(options).map((one) => one.optionId)).toEqual(ids);
});

test("an option goes through as the very value that came", () => {
  const text = '{"z":1,"name":" n ","__proto__":{"x":1},"optionId":" a ","constructor":null}';
  const value = JSON.parse(text);
  const [parsed] = permissionOptions.parse([value]);
  expect(parsed).toBe(value);
  expect(JSON.stringify(parsed)).toBe(text);
});

test("property: any well-formed id of 1 to 512 bytes survives byte for byte", () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 128 });
  fc.assert(
    fc.property(text, (id) => {
      const wire = JSON.stringify([{ optionId: id, name: id }]);
      const [parsed] = permissionOptions.parse(JSON.parse(wire));
      expect(Buffer.from(parsed?.optionId ?? "")).toEqual(Buffer.from(id));
      expect(optionId.parse(id)).toBe(id);
      expect(JSON.stringify([parsed])).toBe(wire);
    }),
  );
});

test("property: UTF-16 that is not well-formed is never an id", () => {
  const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 40 });
  const surrogates = fc.array(fc.integer({ min: 0xd7f0, max: 0xe00f }), { maxLength: 6 });
  fc.assert(
    fc.property(units, surrogates, (some, more) => {
      const text = String.fromCharCode(...some, ...more);
      expect(optionId.safeParse(text).success).toBe(text.isWellFormed());
    }),
  );
});
