import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listElements, listMembers } from "../../src/resident/proxy/json-parts.ts";
import { LineSplitter } from "../../src/resident/line-splitter.ts";
import { ProxyBench } from "../support/proxy-bench.ts";

/** Cuts bytes at pseudo-random places that a seed decides. */
function cut(bytes: Buffer, seed: number, longest: number): Buffer[] {
  const pieces: Buffer[] = [];
  let state = seed;
  for (let at = 0; at < bytes.length;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const length = 1 + ((state >>> 8) % longest);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

/** Lines that mean nothing to a proxy, or nothing to anybody. */
const LINES: Buffer[] = [
  `{"jsonrpc":"2.0","method":"session/update","params":{"text":"ä€😀"}}\n`,
  `{"jsonrpc":"2.0","method":"_x","params":{"n":12345678901234567890.0,"e":1e400,"z":-0}}\r\n`,
  `  {"jsonrpc" : "2.0" , "method":"y" }  \n`,
  "\n",
  "\r\n",
  "   \n",
  "no JSON at all\n",
  '{"cut": \n',
  "[]\n",
  "[1,2]\r\n",
  "null\n",
  '"text"\n',
  '\uFEFF{"jsonrpc":"2.0","method":"bom"}\n',
  `{"jsonrpc":"2.0","id":7,"method":"fs/read_text_file","params":{"path":"\\u0061"}}\n`,
  `{"same":1,"same":2,"__proto__":{"a":1}}\n`,
].map((line) => Buffer.from(line));
LINES.push(
  Buffer.from([0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x0a]),
  Buffer.from([0xed, 0xa0, 0x0a]),
);

describe("lines that are nobody's question", () => {
  it("property: pass as the bytes that came, however they were cut, both ways", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...LINES), { maxLength: 20 }),
        fc.array(fc.constantFrom(...LINES), { maxLength: 20 }),
        fc.constantFrom("", '{"jsonrpc":"2.0","method":"last"}', '{"unfinish', "\r"),
        fc.integer({ min: 1, max: 200 }),
        fc.nat(),
        async (agents, clients, last, longest, seed) => {
          const bench = new ProxyBench();
          const down = Buffer.concat([...agents, Buffer.from(last)]);
          const up = Buffer.concat([...clients, Buffer.from(last)]);
          for (const piece of cut(down, seed, longest)) bench.agentSends(piece);
          for (const piece of cut(up, seed, longest)) bench.clientSends(piece);
          bench.client.end();
          expect(await bench.proxy.done).toBe("client_closed");
          expect(bench.toAgent.bytes.equals(up)).toBe(true);
          expect((await bench.allOfAgent()).equals(down)).toBe(true);
          expect(bench.diagnostics).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("pass by the ten thousand, lines of 1 MB among them, in order, while both sides send", async () => {
    const bench = new ProxyBench();
    const lines = Array.from({ length: 10_000 }, (_, at) => {
      const size = at % 2_500 === 1_249 ? 1_000_000 : at % 97;
      return `{"jsonrpc":"2.0","method":"session/update","params":{"n":${at},"t":"${"é".repeat(size)}"}}\n`;
    });
    const bytes = Buffer.from(lines.join(""));
    for (const piece of cut(bytes, 1, 50_000)) {
      bench.agentSends(piece);
      bench.clientSends(piece);
    }
    bench.client.end();
    await bench.proxy.done;
    expect(bench.toAgent.bytes.equals(bytes)).toBe(true);
    expect((await bench.allOfAgent()).equals(bytes)).toBe(true);
    expect(bench.log.filter((entry) => entry.startsWith("note "))).toHaveLength(10_000);
  });
});

describe("a line splitter", () => {
  it("property: gives back what it took, cut after every line feed and nowhere else", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 12 }).map((bytes) => bytes.map((byte) => byte % 14))),
        (chunks) => {
          const splitter = new LineSplitter();
          const lines = chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk)));
          expect(lines.every((line) => line.indexOf(10) === line.length - 1)).toBe(true);
          const rest = splitter.end();
          expect(rest?.includes(10) ?? false).toBe(false);
          const whole = Buffer.concat(chunks);
          expect(Buffer.concat([...lines, rest ?? Buffer.alloc(0)]).equals(whole)).toBe(true);
        },
      ),
    );
  });

  it("takes a line in a million pieces in little time and space", () => {
    const splitter = new LineSplitter();
    const piece = Buffer.from("ab");
    for (let at = 0; at < 1_000_000; at += 1) splitter.push(piece);
    expect(splitter.push(Buffer.from("\n")).map(({ length }) => length)).toEqual([2_000_001]);
  }, 5_000);

  it("takes a line of exactly the limit, and none that is longer, whole or in pieces", () => {
    const line = Buffer.from("1234567\n");
    expect(new LineSplitter(8).push(line)).toEqual([line]);
    expect(() => new LineSplitter(7).push(line)).toThrow("more than 7 bytes");
    const splitter = new LineSplitter(7);
    splitter.push(line.subarray(0, 7));
    expect(() => splitter.push(line.subarray(7))).toThrow("more than 7 bytes");
  });
});

it("a line that is too long to look into ends the proxy, and nothing of it passes", async () => {
  const bench = new ProxyBench();
  const piece = Buffer.alloc(16 * 1024 * 1024, "x");
  for (let at = 0; at < 4; at += 1) bench.agentSends(piece);
  bench.agentSends("more");
  expect(await bench.proxy.done).toEqual({ error: expect.any(RangeError) });
  expect(bench.toClient.bytes).toHaveLength(0);
});

describe("the parts of a JSON text", () => {
  it("property: are the members that JSON.parse reads, in the same words", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()),
        fc.constantFrom(0, 1, "\t"),
        (value, space) => {
          const members = listMembers(Buffer.from(JSON.stringify(value, null, space)));
          const read = members.map(({ name, value }) => [name, JSON.parse(value.toString())]);
          expect(read).toEqual(Object.entries(JSON.parse(JSON.stringify(value)) as object));
        },
      ),
    );
  });

  it("property: are the elements that JSON.parse reads", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 2), (value, space) => {
        const elements = listElements(Buffer.from(JSON.stringify(value, null, space)));
        const read = elements.map((element) => JSON.parse(element.toString()) as unknown);
        expect(read).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
