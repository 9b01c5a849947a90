import { afterEach, expect, it, vi } from "vitest";
import { pageNow } from "../../src/page/session/page-clock.ts";

afterEach(() => vi.restoreAllMocks());

it("a clock that is set while the page is open moves no deadline", () => {
  const before = pageNow();
  expect(Math.abs(before - Date.now())).toBeLessThan(1_000);
  vi.spyOn(Date, "now").mockReturnValue(before + 3_600_000);
  expect(pageNow() - before).toBeLessThan(1_000);
});
