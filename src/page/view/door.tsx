import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { common, join as words, JOIN_PROBLEMS, type JoinProblem } from "../text/index.ts";
import { Icon } from "./icons.tsx";

/** A page with one thing on it, before or instead of a Room. */
export function Door({ children }: { children: ComponentChildren }) {
  return (
    <main class="door">
      <div class="door-box">
        <p class="door-brand">
          <Icon name="hand" />
          {common.product}
        </p>
        {children}
      </div>
    </main>
  );
}

interface JoinProps {
  name: string;
  /** Resolves with what is worth another try; otherwise the page goes on. */
  join(name: string): Promise<JoinProblem | undefined>;
}

export function JoinPage({ name: remembered, join }: JoinProps) {
  const [name, setName] = useState(remembered);
  const [isJoining, setJoining] = useState(false);
  const [problem, setProblem] = useState<JoinProblem>();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isJoining) return;
    setJoining(true);
    setProblem(await join(name));
    setJoining(false);
  };
  return (
    <Door>
      <h1>{words.title}</h1>
      <p>{words.lead}</p>
      <form class="door-form" onSubmit={(event) => void submit(event)}>
        <label class="field-label" for="name">
          {words.name}
        </label>
        <input
          class="input"
          id="name"
          name="name"
          autoComplete="name"
          required
          maxLength={200}
          aria-describedby="name-hint name-problem"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <p class="hint" id="name-hint">
          {words.hint}
        </p>
        <p class="problem" id="name-problem" role="alert">
          {problem !== undefined && JOIN_PROBLEMS[problem]}
        </p>
        <button class="btn btn-primary btn-large" type="submit" aria-disabled={isJoining}>
          {isJoining ? words.joining : words.submit}
        </button>
      </form>
      <ul class="door-facts">
        {words.facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </Door>
  );
}
