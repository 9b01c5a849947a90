import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { permissionRequest, residentFrame } from "../../src/protocol/index.ts";

interface Recording {
  messages: { params: { toolCall: unknown; options: unknown[] } }[];
}

const folder = new URL("../fixtures/acp/", import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
const requests = files.flatMap((file) => {
  const recording: Recording = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  return recording.messages.map(({ params }, index) => ({ from: `${file} ${index}`, ...params }));
});

test("the recordings are here: 19 files of 6 agents", () => {
  expect(files).toHaveLength(19);
  expect(new Set(files.map((file) => file.split("-")[0])).size).toBe(6);
});

test.each(requests)("what $from asked goes through untouched", ({ toolCall, options }) => {
  const body = { requestId: "recorded-1", toolCall, options };
  const parsed = permissionRequest.parse(body);
  expect(parsed.toolCall).toBe(toolCall);
  expect(parsed.options).toHaveLength(options.length);
  for (const [index, option] of options.entries()) expect(parsed.options[index]).toBe(option);
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(body));

  const frame = residentFrame.parse({ type: "request", ref: "1", ...body });
  expect(frame).toHaveProperty("toolCall");
  expect(JSON.stringify(frame)).toBe(JSON.stringify({ type: "request", ref: "1", ...body }));
});
