import { createRoom } from "../../src/client/index.ts";
import type { Card } from "../../src/protocol/index.ts";
import { type AgentRow, type AgentSettings, settingsFor } from "./agent-row.ts";
import { answerCard } from "./answer-card.ts";
import { effectOf, type Played, type Press } from "./answers.ts";
import type { Through } from "./command.ts";
import { type Drive, makeDrive } from "./drive.ts";
import type { FetchTarget } from "./fetch-target.ts";
import { Human } from "./human.ts";
import { Ledger } from "./ledger.ts";
import { Stage } from "./stage.ts";
import { TASKS, type TaskName } from "./tasks.ts";
import { findInTranscript } from "./transcript-findings.ts";

/** How long a card is looked at before it is answered: whatever does not wait for the answer has run by then. */
const LOOK_MS = 250;
/** After an `allow_always` an agent may ask and go ahead at once: that is seen before anything is pressed. */
const FREED_LOOK_MS = 1200;
/** A card that is still live this long after its turn is left dangling. */
const DANGLING_MS = 1000;
/** Agents ask again this long after a stop. */
const LATE_ASK_MS = 1200;

export interface World {
  /** The server's URL. */
  server: string;
  target: FetchTarget;
  /** What one turn may take. */
  turnLimitMs: number;
}

export interface PlayOptions {
  world: World;
  row: AgentRow;
  through: Through;
  task: TaskName;
  settings?: AgentSettings;
  expiresIn?: string;
  /** Whether acting without a question is what is measured. */
  mayActUnasked?: boolean;
}

/** Says what to do about a card. */
export type Choose = (
  card: Card,
  effect: string | undefined,
  earlier: readonly Played[],
) => Press | Promise<Press>;

/** One case as it is played: a Room with a person in it, the command under test, and an agent in folders of its own. */
export class Play {
  readonly stage: Stage;
  readonly ledger: Ledger;
  readonly human: Human;
  readonly unsafe = new Set<string>();
  readonly failed = new Set<string>();
  readonly drives: Drive[] = [];
  readonly #options: PlayOptions;
  readonly #residentInvite: string;
  #unanswered: "none" | "late" | "any" = "none";

  static async open(options: PlayOptions): Promise<Play> {
    const { server } = options.world;
    const room = await createRoom({ server }, { name: "Compatibility" });
    const human = await Human.join(server, room.humanUrl);
    return new Play(options, human, room.residentInvite);
  }

  private constructor(options: PlayOptions, human: Human, residentInvite: string) {
    this.#options = options;
    this.#residentInvite = residentInvite;
    this.human = human;
    this.stage = new Stage(options.row, options.world.target);
    this.ledger = new Ledger(this.stage, options.mayActUnasked === true);
  }

  get drive(): Drive {
    const drive = this.drives.at(-1);
    if (drive === undefined) throw new Error("nothing was started");
    return drive;
  }

  /** Starts the command, once more with the same folders where it ran before. */
  async start(): Promise<void> {
    const { world, row, through, task, settings = settingsFor(row, task) } = this.#options;
    const { expiresIn } = this.#options;
    const { stage } = this;
    // Where there is no such case, nothing is to be started for it.
    await stage.promptFor(task);
    const options = { stage, server: world.server, settings, expiresIn };
    this.drives.push(
      await makeDrive(through, { ...options, residentInvite: this.#residentInvite }),
    );
  }

  /** Runs one turn to its end and answers what it asks. @returns the cards of this turn */
  async turn(task: TaskName, choose: Choose): Promise<readonly Played[]> {
    const { turnLimitMs } = this.#options.world;
    const prompt = await this.stage.promptFor(task);
    const { effects } = TASKS[task];
    this.ledger.expect(effects);
    const before = this.ledger.played.length;
    const over = new AbortController();
    const { drive } = this;
    const turn = drive.turn(prompt).finally(() => over.abort());
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(turnLimitMs)]);
    for (;;) {
      const card = await this.human.nextCard(signal);
      if (card === undefined || signal.aborted) break;
      const played: Played = {
        effect: effectOf(card, effects)?.name,
        toolKind: String(card.toolCall.kind ?? "other"),
        press: "leave",
        optionId: undefined,
        isTaken: false,
      };
      const earlier = this.ledger.played.slice(before);
      this.ledger.note(played);
      const isFreed = earlier.some(({ press, isTaken }) => isTaken && press === "allow_always");
      await pause(isFreed ? FREED_LOOK_MS : LOOK_MS);
      this.#judge();
      played.press = await choose(card, played.effect, earlier);
      this.#noteUnanswered(played);
      await answerCard(card, played, this, signal);
    }
    if (!over.signal.aborted) {
      this.unsafe.add("the turn never ended");
      await drive.kill();
      this.stage.killAgents();
    }
    await turn;
    await this.#settle();
    return this.ledger.played.slice(before);
  }

  #noteUnanswered({ press }: Played): void {
    if (press === "kill_agent") this.#unanswered = "any";
    // The agent's process ends with `run`: nobody is left who could be told.
    if (press === "stop" && this.drive.through === "run") this.#unanswered = "late";
  }

  /** Kills the command under test, as a crash would: its agent is left without answers. */
  async crash(): Promise<void> {
    this.#unanswered = "any";
    await this.drive.kill();
  }

  /** Ends the command's process in its own way, and judges by its agent's transcript. */
  async endDrive(): Promise<void> {
    const { drive } = this;
    if (!(await drive.end())) this.failed.add(`${drive.through} did not end`);
    if (drive.agent.isAlive()) this.failed.add(`${drive.through} left the agent's process behind`);
    this.#judge();
    const { row, task, settings = settingsFor(row, task) } = this.#options;
    const findings = findInTranscript(drive.agent.transcript(), {
      settings,
      pressed: this.ledger.played.map(({ optionId }) => optionId),
      unanswered: this.#unanswered,
    });
    for (const finding of findings) this.unsafe.add(finding);
    if (drive.askedPastRoom > 0) this.unsafe.add("a permission request went past the Room");
  }

  /** Ends everything that is left, and judges a last time. */
  async close(): Promise<void> {
    await Promise.all(this.drives.map((drive) => drive.kill()));
    this.stage.killAgents();
    this.#judge();
    this.human.leave();
    this.stage.end();
  }

  async #settle(): Promise<void> {
    const wasStopped = this.ledger.played.some(({ press }) => press === "stop");
    if (wasStopped && this.drive.through === "proxy") await pause(LATE_ASK_MS);
    const isClear = await this.human.until(
      () => this.human.live === 0,
      AbortSignal.timeout(DANGLING_MS),
    );
    // The socket may still be on its way back from a restart of the server.
    if (!isClear && (await this.human.countPending()) > 0)
      this.unsafe.add("a card was still live 1 s after its turn had ended");
    this.#judge();
  }

  #judge(): void {
    for (const finding of this.ledger.findUnsafe()) this.unsafe.add(finding);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
