import { afterEach, vi } from "vitest";

/**
 * Stops the Room's clock, which is also the test's: both run in one isolate. Real alarms keep to real time, so that a test that
 * moves this clock runs the alarm by hand.
 */
export function stopClock(): { advance(ms: number): void; set(at: number): void; now(): number } {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  return {
    advance: (ms) => vi.setSystemTime(Date.now() + ms),
    set: (at) => vi.setSystemTime(at),
    now: () => Date.now(),
  };
}

afterEach(() => {
  vi.useRealTimers();
});
