import type { Said } from "./said.ts";

export const common = {
  product: "Handraise",
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Could not copy: select the text",
  offline: "offline",
  online: "online",
  wasOnline: "was online",
  you: <T>(name: T): Said<T> => [name, " (you)"],
} as const;
