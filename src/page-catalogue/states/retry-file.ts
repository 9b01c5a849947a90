export const RETRY_BEFORE = `import { wait } from "./wait.ts";

/** Tries again until it works. */
export async function retry<T>(act: () => Promise<T>, tries = 3): Promise<T> {
  let last: unknown;
  for (let count = 0; count < tries; count += 1) {
    try {
      return await act();
    } catch (error) {
      last = error;
    }
    await wait(1000);
  }
  throw last;
}

/** Milliseconds before the next try. */
export function pause(count: number): number {
  return 1000 * count;
}
`;

export const RETRY_AFTER = RETRY_BEFORE.replace("tries = 3", "tries = 5").replace(
  "await wait(1000);",
  "// Longer each time.\n    await wait(pause(count));",
);

/** Two parts of a file, as a resident sends them where the file is large. */
export const HUNKS = [
  hunk(
    1,
    118,
    "  let last: unknown;\n  const tries = 3;\n",
    "  let last: unknown;\n  const tries = 5;\n",
  ),
  hunk(2, 412, "  return 1000 * count;\n}\n", "  return Math.min(30_000, 1000 * count);\n}\n"),
];

function hunk(number: number, line: number, oldText: string, newText: string) {
  const place = { number, of: 2, oldStart: line, newStart: line };
  return {
    type: "diff",
    path: "src/retry.ts",
    oldText,
    newText,
    _meta: { handraise: { hunk: place } },
  };
}
