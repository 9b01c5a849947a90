import type { AgentRow } from "./agent-row.ts";
import type { Through } from "./command.ts";
import type { Drive } from "./drive.ts";
import { Play, type PlayOptions, type World } from "./play.ts";
import type { Facts, Status } from "./result.ts";
import { NoSuchCase } from "./stage.ts";

export interface ProofCase {
  id: string;
  row: AgentRow;
  world: World;
  through: Through;
}

/** What every case ends with. */
export interface Verdict<T> {
  agent: string;
  status: Status;
  why: string[];
  seconds: number;
  found: T | undefined;
}

/** This agent offers nothing of the kind that the case is about. */
export class NotOffered extends Error {
  override readonly name = "NotOffered";
}

/** Plays one case from its Room to its end, and judges it. What `playing` throws is a case that failed. */
export async function playCase<T>(
  options: PlayOptions,
  playing: (play: Play) => Promise<T>,
): Promise<Verdict<T>> {
  const startedAt = performance.now();
  const play = await Play.open(options);
  let found: T | undefined;
  let absence: string | undefined;
  try {
    found = await playing(play);
  } catch (error) {
    if (error instanceof NoSuchCase || error instanceof NotOffered) absence = error.message;
    else play.failed.add(error instanceof Error ? error.message : String(error));
  }
  await play.close();
  const { unsafe, failed } = play;
  const why = [...unsafe, ...failed];
  const status = unsafe.size > 0 ? "unsafe" : failed.size > 0 ? "failed" : "ok";
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const base = { agent: options.row.name, seconds, found };
  if (absence === undefined || status !== "ok") return { ...base, status, why };
  return { ...base, status: "absent", why: [absence] };
}

/** What a case showed, once its command has ended. @throws where the agent was never prompted: nothing was shown */
export function readFacts(play: Play, drive: Drive): Facts {
  const transcript = drive.agent.transcript();
  const [first] = transcript.asks;
  const turnEnds = transcript.turnEnds;
  if (turnEnds.length === 0) {
    throw new Error(`the agent was not prompted: ${drive.said.trim().split("\n").at(-1) ?? ""}`);
  }
  // A stop and the answer to the open question leave together: the agent may take either first.
  const wasStopped = play.ledger.played.some(({ press }) => press === "stop");
  const [before, after] = [transcript.settings.mode, transcript.lastSettings.mode];
  return {
    cards: play.ledger.played.length,
    ...(first === undefined ? {} : { toolKind: first.toolKind, options: first.options }),
    ran: play.ledger.count(),
    unasked: play.ledger.findUnasked(),
    turnEnd: turnEnds.at(-1) ?? "none",
    lateAsks: transcript.asks.filter(({ afterCancel }) => afterCancel).length,
    dangling: wasStopped ? 0 : transcript.asks.filter(({ isDangling }) => isDangling).length,
    ...(after === undefined || after === before ? {} : { changedMode: after }),
  };
}
