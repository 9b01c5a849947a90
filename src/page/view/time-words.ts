/** "4:12", "1:02:09"; never below zero. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  const hours = Math.floor(seconds / 3600);
  if (hours > 0) parts.unshift(hours);
  return parts.map((part, index) => (index === 0 ? part : String(part).padStart(2, "0"))).join(":");
}

/** "now", "48 s ago", "2 min ago", and from an hour on the time of day. */
export function since(at: number, now: number): string {
  const seconds = Math.floor((now - at) / 1000);
  if (seconds < 2) return "now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return timeOfDay(at);
}

export function timeOfDay(at: number): string {
  return clock(at, { hour: "2-digit", minute: "2-digit" });
}

export function timeToSecond(at: number): string {
  return clock(at, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

function clock(at: number, parts: Intl.DateTimeFormatOptions): string {
  return new Date(at).toLocaleTimeString("en", { ...parts, hourCycle: "h23" });
}

/** A size as people say it: "819 kB". */
export function size(bytes: number): string {
  return bytes < 10_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${Math.round(bytes / 1000)} kB`;
}
