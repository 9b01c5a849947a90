import { NOW } from "./people.ts";

/** Time stands still: a countdown that is to be looked at must not run out. */
export function stopClock(): void {
  const stoppedAt = performance.now();
  performance.now = () => stoppedAt;
  Date.now = () => NOW;
}
