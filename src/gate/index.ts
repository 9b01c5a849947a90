export type { GateAnswer, GateEnd } from "./answer.ts";
export * from "./decision-for-outcome.ts";
export { type AskSettings, DEFAULT_OPTIONS, type GateQuestion } from "./question.ts";
export * from "./room-gate.ts";
export type { OnWaiting, Waiting } from "./waiting.ts";
