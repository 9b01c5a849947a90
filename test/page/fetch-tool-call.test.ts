import { createHash, webcrypto } from "node:crypto";
import { describe, expect, it } from "vitest";
import { RoomRefusal, RoomUnreachable } from "../../src/client/index.ts";
import { fetchToolCall } from "../../src/page/session/fetch-tool-call.ts";
import { makeCard } from "./make-card.ts";

const TOOL_CALL = { toolCallId: "t1", rawInput: { command: "ls" } };
const BYTES = new TextEncoder().encode(JSON.stringify(TOOL_CALL));
const SHA256 = createHash("sha256").update(BYTES).digest("hex");
const subtle = webcrypto.subtle as SubtleCrypto;
const byReference = (more = {}) =>
  makeCard({ evidence: { inline: false, bytes: 9, sha256: SHA256, cut: [], ...more } });
const bringing = (bytes: Uint8Array<ArrayBuffer>) => ({ toolCall: async () => bytes });
const failing = (error: Error) => ({
  toolCall: async () => {
    throw error;
  },
});

describe("a tool call by reference", () => {
  it("is shown once its hash is right", async () => {
    const fetched = await fetchToolCall(bringing(BYTES), byReference(), subtle);
    expect(fetched).toEqual({ state: "loaded", toolCall: TOOL_CALL });
  });

  it("is not shown where one byte differs, or where it is no tool call", async () => {
    const altered = { state: "failed", why: "altered" };
    const other = new TextEncoder().encode(JSON.stringify({ ...TOOL_CALL, title: "x" }));
    expect(await fetchToolCall(bringing(other), byReference(), subtle)).toEqual(altered);
    const junk = new TextEncoder().encode("[]");
    expect(await fetchToolCall(bringing(junk), byReference(), subtle)).toEqual(altered);
  });

  it("is checked by a hash of our own where the browser has none", async () => {
    const fetched = await fetchToolCall(bringing(BYTES), byReference(), undefined);
    expect(fetched).toEqual({ state: "loaded", toolCall: TOOL_CALL });
    const other = new TextEncoder().encode(JSON.stringify({ ...TOOL_CALL, title: "x" }));
    const altered = { state: "failed", why: "altered" };
    expect(await fetchToolCall(bringing(other), byReference(), undefined)).toEqual(altered);
  });

  it("stays unchecked where nothing can hash", async () => {
    const unreachable = async () => {
      throw new Error("not loaded");
    };
    const fetched = await fetchToolCall(bringing(BYTES), byReference(), undefined, unreachable);
    expect(fetched).toEqual({ state: "unchecked", toolCall: TOOL_CALL });
  });

  it("says whether it is gone or only out of reach", async () => {
    const gone = failing(new RoomRefusal({ code: "request_not_found", message: "" }, 404));
    const dropped = { state: "failed", why: "dropped" };
    expect(await fetchToolCall(gone, byReference(), subtle)).toEqual(dropped);
    const card = byReference({ available: false });
    expect(await fetchToolCall(bringing(BYTES), card, subtle)).toEqual(dropped);
    const away = failing(new RoomUnreachable(undefined));
    const unreachable = { state: "failed", why: "unreachable" };
    expect(await fetchToolCall(away, byReference(), subtle)).toEqual(unreachable);
  });
});
