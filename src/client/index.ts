export * from "./backoff.ts";
export { ANSWER_TIMEOUT_MS } from "./answers.ts";
export type { ClientClock } from "./clock.ts";
export { HANDSHAKE_TIMEOUT_MS, type ClientFrame } from "./connection.ts";
export * from "./errors.ts";
export { CALL_TIMEOUT_MS } from "./http.ts";
export * from "./link.ts";
export * from "./room-api.ts";
export * from "./room-socket.ts";
