/**
 * Tells a full, fresh press from everything that only looks like one. A press counts where it began and ended on the same target,
 * began while that target was live, was no key repeat, and was no further click of a fast series. One guard serves one card.
 */
export class PressGuard {
  #began: { target: string; isLive: boolean } | undefined;

  /** A pointer went down, or a key did that was not held already. */
  begin(target: string, isLive: boolean): void {
    this.#began = { target, isLive };
  }

  /** A held key repeats, or the press was taken away from the page. */
  spoil(): void {
    this.#began = { target: "", isLive: false };
  }

  forget(): void {
    this.#began = undefined;
  }

  /**
   * A click came: was it a press on this target? `clicks` is the event's `detail`; it is 0 for a click that no pointer made, which
   * is how assistive technology presses, without going down first.
   */
  take(target: string, clicks: number): boolean {
    const began = this.#began;
    this.#began = undefined;
    if (began === undefined) return clicks === 0;
    return began.isLive && began.target === target && clicks <= 1;
  }
}
