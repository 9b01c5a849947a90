/** What the command's end means to the script that called it. */
export const EXIT = {
  /** `ask`: approved. Elsewhere: done. */
  ok: 0,
  /** `ask`: a person refused or dismissed it. */
  refused: 1,
  /** `ask`: nobody answered: expired, withdrawn, or nobody was there. */
  unanswered: 2,
  /** Anything else, usage errors included. */
  failed: 3,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An expected end that is not a success: one plain sentence or more for people, and the exit code. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
