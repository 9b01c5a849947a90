import type { HistoryRecord } from "../src/protocol/index.ts";

/** One column for each scalar that a record can hold; options, which are lists, have none. */
const COLUMNS: readonly string[] = [
  "requestId",
  "turnId",
  "resident.participantId",
  "resident.name",
  "openedAt",
  "expiresAt",
  "title",
  "kind",
  "toolCallSha256",
  "toolCallBytes",
  "settlement.state",
  "settlement.at",
  "settlement.by.participantId",
  "settlement.by.name",
  "settlement.by.role",
  "settlement.option.optionId",
  "settlement.option.name",
  "settlement.option.kind",
  "settlement.reason",
  "outcome.outcome",
  "outcome.optionId",
  "delivery.state",
  "delivery.at",
];

export function csvHeader(): string {
  return `${COLUMNS.join(",")}\r\n`;
}

export function csvLine(record: HistoryRecord): string {
  return `${COLUMNS.map((column) => cell(valueAt(record, column))).join(",")}\r\n`;
}

function valueAt(record: HistoryRecord, column: string): unknown {
  let value: unknown = record;
  for (const key of column.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** A spreadsheet runs a text that begins like a formula, also behind white space or what cannot be seen, and in wide forms. */
const FORMULA = /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|\s*[\t\r])/u;

function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
