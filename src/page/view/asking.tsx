import { useState } from "preact/hooks";
import { RoomRefusal, RoomUnreachable } from "../../client/index.ts";
import { problems } from "../text/people.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";

/** One thing that a person asks the Room for, and what came of it. */
export interface Asking {
  isAsking: boolean;
  problem: RoomRefusal | RoomUnreachable | undefined;
  ask(act: () => Promise<void>): Promise<void>;
}

export function useAsking(): Asking {
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<Asking["problem"]>();
  const ask = async (act: () => Promise<void>) => {
    if (isAsking) return;
    setAsking(true);
    setProblem(undefined);
    try {
      await act();
    } catch (error) {
      if (!(error instanceof RoomRefusal || error instanceof RoomUnreachable)) throw error;
      setProblem(error);
    } finally {
      setAsking(false);
    }
  };
  return { isAsking, problem, ask };
}

/** Why it did not happen, in its place. */
export function Problem({ asking: { problem } }: { asking: Asking }) {
  return (
    <p class="problem" role="alert">
      {problem !== undefined && wordsFor(problem)}
    </p>
  );
}

function wordsFor(problem: RoomRefusal | RoomUnreachable) {
  if (problem instanceof RoomUnreachable) return problems.unknown;
  if (problem.status === 429) return problems.limited;
  return [problems.refused, <VisibleText key="said" text={problem.message} />];
}
