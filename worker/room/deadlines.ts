/** What the Room's one alarm can do, as far as deadlines care. */
export interface Alarm {
  getAlarm(): Promise<number | null>;
  setAlarm(at: number): Promise<void>;
}

/**
 * The Room's one alarm. It only sweeps: every rule checks deadlines by itself. A set alarm is an fsync's worth of work, so it
 * is set only where none is armed that fires early enough, and never cleared: a stale one finds nothing to do.
 */
export class Deadlines {
  readonly #alarm: Alarm;
  #armedFor: number | undefined;

  constructor(alarm: Alarm) {
    this.#alarm = alarm;
  }

  /** After a start: takes up what was armed before it, and makes up for an alarm that a crash has lost. */
  async load(next: number | undefined, now: number): Promise<void> {
    this.#armedFor = (await this.#alarm.getAlarm()) ?? undefined;
    if (next !== undefined) this.armBy(next, now);
  }

  /**
   * Makes sure that the alarm fires at `at` or earlier. The output gate holds everything sent until it is stored. One that
   * should have fired already is armed again for its own time: were it lost, nothing else would ever sweep.
   */
  armBy(at: number, now: number): void {
    const armedFor = this.#armedFor ?? at;
    if (this.#armedFor !== undefined && armedFor <= at && armedFor > now) return;
    this.#set(Math.min(armedFor, at));
  }

  /** From inside the alarm, which has used itself up: arms for what comes next, never for a time already past. */
  rearm(next: number | undefined, now: number): void {
    this.#armedFor = undefined;
    if (next !== undefined) this.#set(Math.max(next, now + MIN_REARM_MS));
  }

  #set(at: number): void {
    this.#armedFor = at;
    void this.#alarm.setAlarm(at);
  }
}

/** An alarm armed for now, from inside the alarm, is dropped by the local runtime and late in production. */
const MIN_REARM_MS = 100;
