import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readSmallFile } from "./small-file.ts";

/** Who holds a lock: a process id can be used again, so its start is part of it where the system tells. */
interface Holder {
  pid: number;
  startedAt: string | undefined;
}

/**
 * Takes a lock that ends with this process, however it ends. The file names its holder; one that no longer lives holds nothing.
 * Returns a function that gives it back, or undefined where another process that lives has it.
 */
export function takeLock(file: string): (() => void) | undefined {
  const own = `${file}.${randomUUID()}`;
  writeFileSync(own, JSON.stringify(holderOf(process.pid)), { mode: 0o600, flag: "wx" });
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      if (linkIfFree(own, file)) return () => release(file);
      const held = readHolder(file);
      if (held !== undefined && isAlive(held.holder)) return undefined;
      if (held !== undefined) dropStale(file, held.text);
    }
    return undefined;
  } finally {
    rmSync(own, { force: true });
  }
}

/** A link is made whole or not at all, and never over a file that is there. */
function linkIfFree(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Moves a dead holder's file away; what was moved may be a living one's, that came between: it gets its place back. */
function dropStale(file: string, text: string): void {
  const moved = `${file}.${randomUUID()}`;
  try {
    renameSync(file, moved);
  } catch {
    // Another process was faster.
    return;
  }
  if (readSmallFile(moved) !== text) linkIfFree(moved, file);
  rmSync(moved, { force: true });
}

function release(file: string): void {
  const held = readHolder(file);
  if (held?.holder?.pid === process.pid) rmSync(file, { force: true });
}

function readHolder(file: string): { holder: Holder | undefined; text: string } | undefined {
  try {
    const text = readSmallFile(file);
    return { holder: parseHolder(text), text };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, startedAt } = JSON.parse(text) as Partial<Holder>;
    return typeof pid === "number" ? { pid, startedAt } : undefined;
  } catch {
    return undefined;
  }
}

function holderOf(pid: number): Holder {
  return { pid, startedAt: startOf(pid) };
}

function isAlive(holder: Holder | undefined): boolean {
  if (holder === undefined) return false;
  const { pid, startedAt } = holder;
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Another user's process lives, too.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return startOf(pid) === startedAt;
}

/** When a process was started, as the system counts it, with the boot that the count runs from; undefined without /proc. */
function startOf(pid: number): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is a name in brackets, which can hold anything; the third is the state.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // One that has ended and that nobody has asked after yet, as under a container's first process.
    if (fields[0] === "Z" || fields[0] === "X") return "ended";
    return `${boot} ${fields[19]}`;
  } catch {
    return undefined;
  }
}
