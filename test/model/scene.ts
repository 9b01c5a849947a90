import type { ReferenceModel } from "./reference-model.ts";
import type { Op, Via, Who } from "./shapes.ts";

/** One operation and how it is made. */
export interface Call {
  readonly op: Op;
  readonly via: Via;
  /** By the object's own method instead of the Worker's entry. */
  readonly isDirect?: boolean;
  /** Claims in the frame or body to be somebody else, of the other role. */
  readonly isUsurping?: boolean;
}

/** What happens at once: several calls race, or follow each other without waiting. */
export interface Step {
  readonly calls: readonly Call[];
  readonly isOrdered?: boolean;
  readonly isBroken?: boolean;
}

/** A resident's process, as far as it can be lost: what it holds, was told, and said without hearing back. */
export interface Process {
  parked: Set<string>;
  inbox: { requestId: string; applied: boolean }[];
  answered: Map<string, boolean>;
}

export interface Scene {
  readonly model: ReferenceModel;
  readonly humans: readonly Who[];
  readonly residents: readonly Who[];
  readonly processes: ReadonlyMap<Who, Process>;
  /** Sockets that the Room has done with, of each participant. */
  isStale(who: Who): boolean;
}
