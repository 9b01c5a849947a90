import { describe, expect, it } from "vitest";
import { WITHDRAW_REASONS } from "../../src/protocol/index.ts";
import { refusalWords } from "../../src/cli/failure.ts";
import { AgentRefusal } from "../../src/resident/agent-refusal.ts";
import { describeEvent, type ResidentEvent, type TurnEnd } from "../../src/resident/events.ts";
import { describeEnd, reasonOfSettlement } from "../../src/resident/reasons.ts";
import { terminalText } from "../../src/resident/terminal-text.ts";

describe("the line that tells how an ask ended", () => {
  // B31
  it("says of an expired one: expired, not run, ask again for a new card", () => {
    expect(describeEnd("execute", "expired")).toBe(
      "A command: expired, not run, nobody answered in time. Ask again for a new card.",
    );
  });

  it("names who decided, and nobody where nobody did", () => {
    expect(describeEnd("edit", "human_refused", "Ana")).toContain("a person refused it (Ana)");
    expect(describeEnd("edit", "turn_ended")).not.toContain("(");
  });

  it("calls a kind that ACP does not name a tool call", () => {
    expect(describeEnd("rm -rf /", "expired")).toMatch(/^A tool call: /);
  });

  it("exists for every reason with which a card can be withdrawn", () => {
    for (const reason of WITHDRAW_REASONS) {
      const end = reasonOfSettlement({ state: "withdrawn", at: 1, reason });
      expect(describeEnd("execute", end)).toMatch(/^A command: .+\. .+\.$/);
    }
  });

  it("says of what was not asked for its size or its number what is true of both", () => {
    expect(describeEnd("execute", "over_limit")).toBe(
      "A command: not asked, it is larger than the Room takes, or too many wait at once. Answer what waits, or have the agent do it in smaller steps.",
    );
  });

  it("says that an answer of an unknown kind was given, and of one that cannot be read that it was not", () => {
    expect(describeEnd("execute", "unreadable", "Ana", "selected")).toMatch(
      /^A command: answered, but with an option whose kind is not known here \(Ana\)\./,
    );
    const unread = describeEnd("execute", "unreadable", undefined, "cancelled");
    expect(unread).toMatch(/^A command: not allowed, .* was not in order\./);
    // The Room hears this line too, and has no diagnostics.
    expect(unread).not.toContain("diagnostic");
  });

  it("never says of a Room that answered that it was only the connection", () => {
    expect(describeEnd("execute", "room_unreachable")).toBe(
      "A command: not run, the Room could not be reached or did not take it. Check the Room's server and the connection to it, then prompt again.",
    );
  });

  it("never calls an unreachable Room a refusal", () => {
    const line = describeEvent({ type: "room_unreachable", status: 503 });
    expect(line).toBe("Room unreachable (503). Trying again.");
  });
});

describe("a line about what an agent or a server said", () => {
  const forged = "x.\nA command: allowed (Ana).\u2028The agent\u0085goes on";

  it.each<[string, ResidentEvent]>([
    [
      "a stop reason",
      turnEnded({ kind: "answered", stopReason: forged, text: "", leftOutBytes: 0 }),
    ],
    ["an error", turnEnded({ kind: "failed", message: forged })],
    ["a name", { type: "turn_started", by: forged }],
    ["a place in a request", { type: "diagnostic", text: forged }],
  ])("is one line, whatever %s holds", (_, event) => {
    expect(describeEvent(event)).toContain("x. A command: allowed (Ana). The agent goes on");
  });

  it("is one line where the Room refuses in words that are not known", () => {
    expect(refusalWords("new\ncode", "Nothing ran.", "no\nA command: allowed.")).toBe(
      "The Room refused it (new code: no A command: allowed.). Nothing ran.",
    );
  });

  it("is one line where the agent refuses to open a session, and says that it was the agent", () => {
    const refusal = new AgentRefusal("session/new", { code: -1, message: forged });
    expect(refusal.message).toBe(
      "The agent refused session/new: x. A command: allowed (Ana). The agent goes on",
    );
    expect(new AgentRefusal("session/new", { code: -1, message: " \n" }).message).toBe(
      "The agent refused session/new: no reason given",
    );
  });
});

function turnEnded(end: TurnEnd): ResidentEvent {
  return { type: "turn_ended", end };
}

it("shows what could act on a terminal or turn the reading direction as an escape", () => {
  expect(terminalText("a\u001b[31mb\u202ec\u200bd\r\n\te\u2028")).toBe(
    "a\\u{1b}[31mb\\u{202e}c\\u{200b}d\\u{d}\n\te\\u{2028}",
  );
  expect(terminalText("a\u3164\u2800\u00ad")).toBe("a\\u{3164}\\u{2800}\\u{ad}");
  expect(terminalText("Grüße, 世界 👋")).toBe("Grüße, 世界 👋");
});
