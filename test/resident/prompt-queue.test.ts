import { expect, it } from "vitest";
import { MAX_QUEUED_PROMPTS, PromptQueue } from "../../src/resident/prompt-queue.ts";

it("runs one turn at a time, in order, also after one that failed", async () => {
  const queue = new PromptQueue();
  const log: string[] = [];
  const turn = (name: string, fails = false) =>
    queue.add(async () => {
      log.push(`${name} begins`);
      await Promise.resolve();
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const turns = [turn("a"), turn("b", true), turn("c")];
  expect((await Promise.allSettled(turns)).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

it("refuses visibly what is more than may wait", async () => {
  const queue = new PromptQueue();
  const running = Promise.withResolvers<void>();
  const turns: Promise<unknown>[] = [queue.add(() => running.promise)];
  for (let n = 0; n < MAX_QUEUED_PROMPTS; n += 1) turns.push(queue.add(() => Promise.resolve()));
  expect(await queue.add(() => Promise.resolve())).toEqual({
    kind: "not_run",
    reason: "queue_full",
  });
  running.resolve();
  await Promise.all(turns);
});

it("turns away whoever waits when it closes, and whoever comes later", async () => {
  const queue = new PromptQueue();
  const running = Promise.withResolvers<string>();
  const first = queue.add(() => running.promise);
  const second = queue.add(() => Promise.resolve("never"));
  queue.close();
  const stopped = { kind: "not_run", reason: "stopped" };
  expect(await second).toEqual(stopped);
  expect(await queue.add(() => Promise.resolve("never"))).toEqual(stopped);
  running.resolve("done");
  expect(await first).toBe("done");
});
