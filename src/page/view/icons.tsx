import type { ComponentChild } from "preact";

const SHAPES = {
  hand: (
    <path d="M7 11V5.2a1.2 1.2 0 0 1 2.4 0V9m0-5.3a1.2 1.2 0 0 1 2.4 0V9m0-4.3a1.2 1.2 0 0 1 2.4 0V12a5.2 5.2 0 0 1-5.2 5.2 5.2 5.2 0 0 1-4.2-2.1l-2-3a1.25 1.25 0 0 1 2-1.5L7 13" />
  ),
  run: <path d="m4.5 6 4 4-4 4M10.5 14h5" />,
  edit: <path d="m12.4 4.6 3 3L7.5 15.5 4 16l.5-3.5zM10.8 6.2l3 3" />,
  mode: <path d="M4 7.2h11M12.2 4.5 15 7.2 12.2 10M16 12.8H5M7.8 10 5 12.8l2.8 2.7" />,
  other: (
    <>
      <circle cx="10" cy="10" r="6.5" />
      <path d="M7 10h.01M10 10h.01M13 10h.01" />
    </>
  ),
  copy: (
    <>
      <rect x="7.5" y="7.5" width="8.5" height="8.5" rx="2" />
      <path d="M12.5 7.5v-2a1.5 1.5 0 0 0-1.5-1.5H5.5A1.5 1.5 0 0 0 4 5.5V11a1.5 1.5 0 0 0 1.5 1.5h2" />
    </>
  ),
  right: <path d="m8 5.5 4.5 4.5L8 14.5" />,
  allow: (
    <>
      <circle cx="10" cy="10" r="6.75" />
      <path d="m7 10.2 2.1 2.1L13.2 8" />
    </>
  ),
  allow_stack: (
    <>
      <rect x="3.25" y="6.25" width="10.5" height="10.5" rx="2.5" />
      <path d="M6.75 3.25h7.5a2.5 2.5 0 0 1 2.5 2.5v7.5M5.9 11.6l1.8 1.8 3.4-3.6" />
    </>
  ),
  refuse: (
    <>
      <circle cx="10" cy="10" r="6.75" />
      <path d="m7.7 7.7 4.6 4.6m0-4.6-4.6 4.6" />
    </>
  ),
  refuse_stack: (
    <>
      <rect x="3.25" y="6.25" width="10.5" height="10.5" rx="2.5" />
      <path d="M6.75 3.25h7.5a2.5 2.5 0 0 1 2.5 2.5v7.5M6.7 9.7l3.6 3.6m0-3.6-3.6 3.6" />
    </>
  ),
  unknown: (
    <>
      <circle cx="10" cy="10" r="6.75" />
      <path d="M8.1 8.2a1.95 1.95 0 1 1 2.8 1.75c-.6.3-.9.7-.9 1.25M10 13.3h.01" />
    </>
  ),
  unfold: <path d="M10 3v5m0 0L7.8 5.8M10 8l2.2-2.2M10 17v-5m0 0-2.2 2.2M10 12l2.2 2.2" />,
  clock: (
    <>
      <circle cx="10" cy="10" r="6.75" />
      <path d="M10 6.3V10l2.5 1.6" />
    </>
  ),
  ended: (
    <>
      <circle cx="10" cy="10" r="6.75" />
      <rect x="7.6" y="7.6" width="4.8" height="4.8" rx="1" />
    </>
  ),
  undo: <path d="M7.3 5 4 8.3l3.3 3.2M4 8.3h7.7a3.9 3.9 0 0 1 0 7.7H9" />,
  off: (
    <>
      <circle cx="10" cy="10" r="6.75" stroke-dasharray="2.6 2.7" />
      <path d="M10 6.5V10" />
    </>
  ),
  warn: <path d="M10 4 17 16H3zM10 8.6v3.4M10 14h.01" />,
  info: (
    <>
      <circle cx="10" cy="10" r="6.75" />
      <path d="M10 9.3v4M10 6.7h.01" />
    </>
  ),
  lock: (
    <>
      <rect x="5" y="9" width="10" height="7" rx="1.5" />
      <path d="M7 9V7a3 3 0 0 1 6 0v2" />
    </>
  ),
  spin: <path d="M10 3.25a6.75 6.75 0 1 1-6.2 4.1" />,
  people: (
    <>
      <circle cx="7.8" cy="7" r="2.75" />
      <path d="M2.8 16c.3-2.8 2.3-4.4 5-4.4s4.7 1.6 5 4.4M13 4.6a2.5 2.5 0 0 1 0 4.8M14.6 12c1.6.6 2.5 2 2.7 4" />
    </>
  ),
  invite: (
    <>
      <circle cx="8.5" cy="7" r="3" />
      <path d="M3 16c.3-3 2.6-4.6 5.5-4.6 1 0 1.9.2 2.7.5M14.5 11.5v5M12 14h5" />
    </>
  ),
  bell: <path d="M5.5 13.5V9a4.5 4.5 0 0 1 9 0v4.5l1 1h-11zM8.5 16.7h3" />,
  down: <path d="M10 4v8.5m0 0L6.7 9.2M10 12.5l3.3-3.3M4.5 16h11" />,
  keys: (
    <>
      <rect x="3" y="5.5" width="14" height="9" rx="2" />
      <path d="M6 8.5h.01M10 8.5h.01M14 8.5h.01M7 11.7h6" />
    </>
  ),
  close: <path d="m5.5 5.5 9 9m0-9-9 9" />,
  agent: (
    <>
      <rect x="4" y="6.5" width="12" height="9" rx="2.5" />
      <path d="M10 6.5v-3M7.8 10.4v1.2m4.4-1.2v1.2" />
    </>
  ),
  talk: (
    <path d="M4 5.5A1.5 1.5 0 0 1 5.5 4h9A1.5 1.5 0 0 1 16 5.5v6a1.5 1.5 0 0 1-1.5 1.5H9l-4 3.5V13h.5A1.5 1.5 0 0 1 4 11.5z" />
  ),
  delete: <path d="M4.5 6h11M8 6V4.2h4V6M6 6l.6 9.8h6.8L14 6M8.6 8.8v4.4m2.8-4.400v4.4" />,
  move: <path d="M4 10h11.500m0 0-3.2-3.200m3.2 3.2-3.2 3.200M4 5.500v9" />,
  read: (
    <path d="M10 5.800C8.5 4.7 6.5 4.3 3.5 4.500v10c3-.2 5 .2 6.5 1.3 1.5-1.1 3.5-1.5 6.5-1.300v-10c-3-.2-5 .2-6.5 1.300zm0 0v10" />
  ),
  search: <path d="m15.8 15.8-3.5-3.500M13.5 8.800a4.8 4.8 0 1 1-9.6 0 4.8 4.8 0 0 1 9.6 0" />,
  fetch: (
    <path d="M16.8 10a6.8 6.8 0 1 1-13.6 0 6.8 6.8 0 0 1 13.6 0M3.2 10h13.600M10 3.200c2 2 2.8 4.3 2.8 6.800s-.8 4.8-2.8 6.800c-2-2-2.8-4.3-2.8-6.800S8 5.2 10 3.2" />
  ),
  think: (
    <path d="M7.5 13.500c0-1.4-2.3-2.3-2.3-5.200a4.8 4.8 0 0 1 9.6 0c0 2.9-2.3 3.8-2.3 5.200zM8 16.500h4" />
  ),
} satisfies Record<string, ComponentChild>;

export type IconName = keyof typeof SHAPES;

/** Always beside a word that says the same. */
export function Icon({ name, small, spins }: { name: IconName; small?: boolean; spins?: boolean }) {
  const classes = ["icon", small && "icon-16", spins && "spin"].filter(Boolean).join(" ");
  return (
    <svg class={classes} viewBox="0 0 20 20" aria-hidden="true">
      {SHAPES[name]}
    </svg>
  );
}
