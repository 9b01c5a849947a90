import { card as words } from "../text/index.ts";
import { countdown } from "./time-words.ts";
import { useNow } from "./use-now.ts";

const LAST_MS = 20_000;

/** The time left by the Room's clock. Not announced: it changes every second. */
export function Countdown({
  openedAt,
  expiresAt,
  clockOffset,
}: {
  openedAt: number;
  expiresAt: number;
  clockOffset: number;
}) {
  const left = expiresAt - (useNow() + clockOffset);
  const share = Math.round((100 * Math.max(0, left)) / Math.max(1, expiresAt - openedAt));
  const isLast = left < LAST_MS;
  const time = left <= 0 ? words.timeUp : isLast ? words.left(countdown(left)) : countdown(left);
  return (
    <span class={isLast ? "left left-last" : "left"}>
      <svg class="dial" viewBox="0 0 16 16" aria-hidden="true">
        <circle class="dial-track" cx="8" cy="8" r="6" />
        <circle
          class="dial-left"
          cx="8"
          cy="8"
          r="6"
          pathLength="100"
          stroke-dasharray={`${Math.min(100, share)} 100`}
        />
      </svg>
      <span class="num">
        <span class="sr">{words.timeLeft}</span>
        {time}
      </span>
    </span>
  );
}
