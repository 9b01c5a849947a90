import type { ProofCase } from "./play-case.ts";
import { playLate } from "./proof-late.ts";
import { playResidentRestart } from "./proof-resident-restart.ts";
import { playRoomRestart } from "./proof-room-restart.ts";
import type { Through } from "./command.ts";
import type { CaseResult } from "./result.ts";

interface Proof {
  name: string;
  ways: readonly Through[];
  isSlow: boolean;
  play(options: ProofCase): Promise<CaseResult>;
}

/** What no single answer shows. */
export const PROOFS: readonly Proof[] = [
  { name: "room-restart", ways: ["run", "proxy"], isSlow: false, play: playRoomRestart },
  { name: "resident-restart", ways: ["run"], isSlow: false, play: playResidentRestart },
  { name: "late", ways: ["run", "proxy"], isSlow: true, play: playLate },
];
