import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cleanName, distinctName, name, nameKey } from "../../src/protocol/index.ts";

test.each([
  ["white space at the ends", "  Ana\u00a0", "Ana"],
  ["white space within", "Ana \u2003\u3000 Lima", "Ana Lima"],
  ["control characters", "A\u0000n\u001ba\u007f\u0085", "Ana"],
  ["bidi overrides and isolates", "\u202eAna\u202c\u2066x\u2069", "Anax"],
  ["zero-width characters", "A\u200bn\u200da\ufeff", "Ana"],
  ["invisible letters", "Ana\u3164\u115f\u034f\ufe0f", "Ana"],
  ["blank Braille", "\u2800Ana\u2800\u2800L", "Ana L"],
  ["a letter and its accent", "A\u0301na", "Ána"],
])("cleaning takes care of %s", (_, sent, clean) => {
  expect(cleanName(sent)).toBe(clean);
  expect(name.parse(sent)).toBe(clean);
});

test.each(["Maria (human) ✓", "日本 太郎", "Ζωή", "O’Brien", "🦊", "-=+@", "<b>"])(
  "%s is kept as it is",
  (text) => {
    expect(name.parse(text)).toBe(text);
  },
);

test.each(["", " ", "\u200b\u202e", "\u3164", "\u2800", "\ud800", "Ana\udc00"])(
  "%j is no name",
  (text) => {
    expect(name.safeParse(text).success).toBe(false);
  },
);

test("1 to 80 code points once clean, and 4 KiB before that", () => {
  expect(name.safeParse("🦊".repeat(80)).success).toBe(true);
  expect(name.safeParse("🦊".repeat(81)).success).toBe(false);
  expect(name.safeParse(` ${"a".repeat(80)} `).success).toBe(true);
  // U+0958 is two code points in NFC.
  expect(name.safeParse("\u0958".repeat(41)).success).toBe(false);
  expect(name.safeParse("a".padEnd(4096, " ")).success).toBe(true);
  expect(name.safeParse("a".padEnd(4097, " ")).success).toBe(false);
});

test.each([
  ["Ana", "ANA"],
  ["Straße", "STRASSE"],
  ["Straße", "STRAẞE"],
  ["ﬁn", "FIN"],
  ["Ａｎａ", "ana"],
  ["Σίσυφος", "ΣΊΣΥΦΟΣ"],
  ["ΐ", "Ϊ\u0301"],
  ["①", "1"],
])("%s and %s are one name", (one, other) => {
  expect(nameKey(one)).toBe(nameKey(other));
});

test.each([
  ["Ana", "Anna"],
  ["Ana", "Ána"],
  ["Ana", "Аna"],
])("%s and %s are two names", (one, other) => {
  expect(nameKey(one)).not.toBe(nameKey(other));
});

test("a taken name gets the first free number", () => {
  const taken = new Set(["Ana", "ana (2)", "ANA (3)"].map(nameKey));
  const isTaken = (key: string) => taken.has(key);
  expect(distinctName("Ben", isTaken)).toBe("Ben");
  expect(distinctName("aNa", isTaken)).toBe("aNa (4)");
  expect(distinctName("Ana (2)", isTaken)).toBe("Ana (2) (2)");
});

test("a number fits into a name of full length, without a gap", () => {
  const long = `${"🦊".repeat(75)} 1234`;
  const other = distinctName(long, (key) => key === nameKey(long));
  expect(other).toBe(`${"🦊".repeat(75)} (2)`);
});

const anyText = fc.string({ unit: "binary", maxLength: 100 });
const trickyText = fc
  .array(
    fc.constantFrom(
      ..." \t\n\u00a0\u200b\u202e\u0301\u0308\u0345ßẞﬁΐςΣİıſｶﾞaAé\u3164\u2800🦊()2",
      "\u0958",
    ),
    { maxLength: 90 },
  )
  .map((parts) => parts.join(""));
const texts = fc.oneof(anyText, trickyText);

test("property: a clean name is clean: cleaning again changes nothing", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const clean = cleanName(text);
      expect(cleanName(clean)).toBe(clean);
      expect(clean).toBe(clean.normalize("NFC"));
      expect(clean).not.toMatch(/[\p{Cc}\p{Cf}]|^\s|\s$|\s\s/u);
    }),
  );
});

test("property: what is accepted as a name comes out clean, well-formed and short enough", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const result = name.safeParse(text);
      const length = [...cleanName(text)].length;
      expect(result.success).toBe(length >= 1 && length <= 80);
      expect(result.data ?? cleanName(text)).toBe(cleanName(text));
    }),
  );
});

test("property: a case or a normalisation makes no other name", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const key = nameKey(text);
      expect(nameKey(text.normalize("NFD"))).toBe(key);
      expect(nameKey(text.normalize("NFKC"))).toBe(key);
      expect(nameKey(text.normalize("NFKC").toLowerCase())).toBe(key);
    }),
  );
});

test("property: distinct names are distinct, clean and short enough, however many want the same", () => {
  const valid = texts.map(cleanName).filter((text) => name.safeParse(text).success);
  fc.assert(
    fc.property(valid, fc.integer({ min: 1, max: 12 }), (wanted, people) => {
      const keys = new Set<string>();
      for (let n = 0; n < people; n += 1) {
        const given = distinctName(wanted, (key) => keys.has(key));
        expect(keys.has(nameKey(given))).toBe(false);
        expect(name.parse(given)).toBe(given);
        keys.add(nameKey(given));
      }
      expect(keys.size).toBe(people);
    }),
  );
});
