import { expect, it } from "vitest";
import { decideAs, dismissAs, historyAs, recordsAs } from "../support/workerd/commands.ts";
import { parseCsv } from "../support/workerd/csv.ts";
import { ask, type Member } from "../support/workerd/room.ts";
import { openScene } from "../support/workerd/scene.ts";

/** The CSV as a list of rows by column. */
async function rowsAs(member: Member): Promise<Record<string, string>[]> {
  const [head, ...rows] = parseCsv(await (await historyAs(member, "?format=csv")).text());
  return rows.map((row) => {
    expect(row).toHaveLength(head?.length ?? 0);
    return Object.fromEntries(row.map((cell, n) => [head?.[n] ?? "", cell]));
  });
}

const FORMULAS = [
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\tx",
  "\rx",
  " =1",
  "\n\n=1",
  "\u00a0=1",
  "\u3000 @x",
  '=HYPERLINK("https://evil.test","ok")',
  "=cmd|' /C calc'!A0",
  "  \t-2",
];

const TEXTS = [
  "",
  "plain",
  "a,b",
  'say "hi"',
  '"',
  '""',
  "two\nlines",
  "two\r\nlines",
  "a\rb",
  " led and trailed ",
  "'already",
  "a=b",
  "1-2",
  "é😀\u202e",
];

it.each(FORMULAS)("a text that a spreadsheet would run, %j, is defused", async (title) => {
  const { ana, claude } = await openScene();
  const options = [{ optionId: `id${title}`, name: title, kind: "allow_once" }];
  const requestId = await ask(claude, { toolCall: { toolCallId: "t", title }, options });
  await decideAs(ana, requestId, `id${title}`);
  const [row] = await rowsAs(ana);
  expect(row).toMatchObject({ title: `'${title}`, "settlement.option.name": `'${title}` });
  expect(row?.["settlement.option.optionId"]).toBe(`id${title}`);
  expect((await recordsAs(ana))[0]?.title).toBe(title);
});

it("every other text comes back as it was, whatever it holds", async () => {
  const { ana, claude } = await openScene();
  for (const title of TEXTS) {
    const requestId = await ask(claude, { toolCall: { toolCallId: "t", title } });
    await dismissAs(ana, requestId);
  }
  const rows = await rowsAs(ana);
  expect(rows.map((row) => row["title"])).toEqual(TEXTS);
});

it("has a column for each scalar of a record, and the same values", async () => {
  const { room, ana, claude } = await openScene();
  const eve = await room.human("=Eve,");
  const ids = [await ask(claude, { turnId: "turn-1" }), await ask(claude)];
  await decideAs(eve, ids[0] as string, "allow-1");
  await dismissAs(ana, ids[1] as string);
  const records = await recordsAs(ana);
  const rows = await rowsAs(ana);
  for (const [n, record] of records.entries()) {
    const leaves = leavesOf(record);
    const row = rows[n] ?? {};
    for (const [column, value] of Object.entries(leaves)) {
      expect([column, row[column]]).toEqual([column, value === "=Eve," ? "'=Eve," : value]);
    }
    const others = Object.entries(row).filter(([column]) => !(column in leaves));
    expect(others.every(([, cell]) => cell === "")).toBe(true);
  }
});

function leavesOf(value: object, prefix = ""): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, leaf]: [string, unknown]) => {
      if (Array.isArray(leaf)) return [];
      if (typeof leaf === "object" && leaf !== null) {
        return Object.entries(leavesOf(leaf, `${prefix}${key}.`));
      }
      return [[`${prefix}${key}`, String(leaf)]];
    }),
  );
}
