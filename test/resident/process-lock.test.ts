import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { takeLock } from "../../src/resident/process-lock.ts";

const LOCK = fileURLToPath(new URL("../../src/resident/process-lock.ts", import.meta.url));
let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "handraise-lock-"));
  file = join(folder, "place.lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Another process that tries to take the lock, says whether it has it, and lives on. */
async function otherProcess(): Promise<{ hasIt: boolean; kill(): Promise<void> }> {
  const code = `import { takeLock } from ${JSON.stringify(LOCK)};
    console.log(takeLock(${JSON.stringify(file)}) !== undefined); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return {
    hasIt: String(said).trim() === "true",
    kill: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

it("is held by one process at a time, and free again when it is given back", async () => {
  const release = takeLock(file);
  expect(release).toBeDefined();
  const other = await otherProcess();
  expect(other.hasIt).toBe(false);
  await other.kill();
  release?.();
  const next = await otherProcess();
  expect(next.hasIt).toBe(true);
  expect(takeLock(file)).toBeUndefined();
  await next.kill();
});

it("ends with its process, however that ended", async () => {
  const other = await otherProcess();
  expect(other.hasIt).toBe(true);
  await other.kill();
  const release = takeLock(file);
  expect(release).toBeDefined();
  release?.();
  expect(readdirSync(folder)).toEqual([]);
});

it("is not held by a process that only has the same id", () => {
  const startedAt = existsSync("/proc/self/stat") ? "another boot 1" : undefined;
  writeFileSync(file, JSON.stringify({ pid: process.ppid, startedAt }));
  // Where the system does not tell when a process began, its id is all there is.
  expect(takeLock(file) !== undefined).toBe(startedAt !== undefined);
});

it.each(["", "{", "null", '{"pid":0}', '{"pid":-1}', '{"pid":"1; rm"}', '{"pid":999999999}'])(
  "is not held by nobody: %j",
  (text) => {
    writeFileSync(file, text);
    expect(takeLock(file)).toBeDefined();
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ pid: process.pid });
  },
);

it("goes to one of many that find a dead holder at once", async () => {
  writeFileSync(file, JSON.stringify({ pid: 999_999_999 }));
  const all = await Promise.all(Array.from({ length: 6 }, otherProcess));
  expect(all.filter(({ hasIt }) => hasIt)).toHaveLength(1);
  await Promise.all(all.map(({ kill }) => kill()));
});
