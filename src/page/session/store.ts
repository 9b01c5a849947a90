/** A value, what changes it, and who looks at it. */
export interface Store<State, Event> {
  readonly state: State;
  dispatch(event: Event): void;
  /** Calls `look` after each change; returns how to stop. */
  subscribe(look: () => void): () => void;
}

export function makeStore<State, Event>(
  initial: State,
  reduce: (state: State, event: Event) => State,
): Store<State, Event> {
  let state = initial;
  const lookers = new Set<() => void>();
  return {
    get state() {
      return state;
    },
    dispatch(event) {
      const next = reduce(state, event);
      if (next === state) return;
      state = next;
      for (const look of lookers) look();
    },
    subscribe(look) {
      lookers.add(look);
      return () => lookers.delete(look);
    },
  };
}
