import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shapeEvidence } from "../../src/resident/evidence.ts";
import { readSecrets, type Secret } from "../../src/resident/secrets.ts";
import { numbered } from "../support/file-changes.ts";

const TOKEN = "ghp_0123456789";
const SECRETS: Secret[] = [{ name: "GITHUB_TOKEN", value: TOKEN }];

function edit(oldText: string | null, newText: string) {
  return { type: "diff", path: "/w/.env", oldText, newText };
}

describe("secrets in a tool call", () => {
  it("are shown by name everywhere, in names of fields too, but not in its id", () => {
    const toolCall = {
      toolCallId: `call ${TOKEN}`,
      title: `curl -H ${TOKEN}`,
      locations: [{ path: `/w/${TOKEN}`, line: 3 }],
      content: [edit(null, `A=${TOKEN}\n`)],
      rawInput: { toolCallId: TOKEN, env: { [TOKEN]: [TOKEN, 7, null, true] } },
    };
    const copy = structuredClone(toolCall);
    expect(shapeEvidence(toolCall, SECRETS)).toEqual({
      toolCallId: `call ${TOKEN}`,
      title: "curl -H ‹GITHUB_TOKEN›",
      locations: [{ path: "/w/‹GITHUB_TOKEN›", line: 3 }],
      content: [edit(null, "A=‹GITHUB_TOKEN›\n")],
      rawInput: {
        toolCallId: "‹GITHUB_TOKEN›",
        env: { "‹GITHUB_TOKEN›": ["‹GITHUB_TOKEN›", 7, null, true] },
      },
    });
    expect(toolCall).toEqual(copy);
  });

  it("leave names such as __proto__ alone", () => {
    const text =
      '{"toolCallId":"t1","__proto__":{"a":1},"rawInput":{"__proto__":"ghp_0123456789"}}';
    const shaped = shapeEvidence(JSON.parse(text), SECRETS);
    expect(JSON.stringify(shaped)).toBe(text.replace(TOKEN, "‹GITHUB_TOKEN›"));
  });

  it("stay a change where one takes the place of another", () => {
    const secrets = [...SECRETS, { name: "OTHER_KEY", value: "sk-98765432" }];
    const content = [edit(`A=${TOKEN}\n`, "A=sk-98765432\n")];
    expect(shapeEvidence({ toolCallId: "t1", content }, secrets)).toMatchObject({
      content: [{ oldText: "A=‹GITHUB_TOKEN›\n", newText: "A=‹OTHER_KEY›\n" }],
    });
  });

  it("stay a change where the agent writes what they are shown as", () => {
    const content = [edit(`A=${TOKEN}\n`, "A=‹GITHUB_TOKEN›\n")];
    expect(shapeEvidence({ toolCallId: "t1", content }, SECRETS)).toMatchObject({
      content: [{ oldText: "A=‹GITHUB_TOKEN, hidden›\n", newText: "A=‹GITHUB_TOKEN›\n" }],
    });
  });

  it("are hidden before a file is cut: no hunk shows a part of one", () => {
    const key = ["short", "lines", "of a", "secret"].join("\n");
    const before = `${numbered(2_000)}${key}\n${numbered(2_000)}`;
    const after = before.replace("secret\nline 1\n", "secret\nline one\n");
    const secrets = readSecrets({ DEPLOY_KEY: key });
    const shaped = JSON.stringify(
      shapeEvidence({ toolCallId: "t1", content: [edit(before, after)] }, secrets),
    );
    expect(shaped).toContain("‹DEPLOY_KEY›");
    expect(shaped).toContain("line one");
    expect(shaped).toContain('"number":1,"of":1,"oldStart":1999');
    expect(shaped).not.toMatch(/short|lines|of a|secret/);
  });

  it("are hidden in a file that the agent sends twice, which is still shown once", () => {
    const text = `${numbered(5_000)}${TOKEN}\n`;
    const sent = { toolCallId: "t1", content: [edit(null, text)], rawInput: { content: text } };
    expect(shapeEvidence(sent, SECRETS)).toMatchObject({
      content: [{ newText: `${numbered(5_000)}‹GITHUB_TOKEN›\n` }],
      rawInput: { content: expect.stringMatching(/^‹the new text of/) as string },
    });
  });

  it("never remain, and without one nothing changes", () => {
    const text = fc
      .array(fc.constantFrom(TOKEN, TOKEN.slice(1), "a", " ", "‹", "\n"), { maxLength: 6 })
      .map((parts) => parts.join(""));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.constantFrom(null, 1.5, true),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(text, tie("value"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, (rawInput) => {
        const toolCall = { toolCallId: "t1", rawInput };
        const sent = JSON.stringify(toolCall);
        const shaped = JSON.stringify(shapeEvidence(toolCall, SECRETS));
        expect(shaped).toBe(sent.replaceAll(TOKEN, "‹GITHUB_TOKEN›"));
        expect(JSON.stringify(toolCall)).toBe(sent);
      }),
      { numRuns: 500 },
    );
  });
});
