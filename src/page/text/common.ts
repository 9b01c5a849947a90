import type { Said } from "./said.ts";

export const common = {
  product: "Handraise",
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Could not copy: select the text",
  offline: "offline",
  online: "online",
  wasOnline: "was online",
  /** A part of the page that comes later did not come. */
  partFailed: "This part of the page could not be loaded.",
  reload: "Reload the page",
  close: "Close",
  permissions: "How permissions work here",
  you: <T>(name: T): Said<T> => [name, " (you)"],
} as const;
