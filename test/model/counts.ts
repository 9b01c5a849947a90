/** How often everything happened: a model test that never met a case says nothing about it. */
export class Counts {
  readonly #counts = new Map<string, number>();

  constructor(names: readonly string[]) {
    for (const name of names) this.#counts.set(name, 0);
  }

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  below(least: number): string[] {
    return [...this.#counts].filter(([, n]) => n < least).map(([name, n]) => `${name}: ${n}`);
  }

  table(): string {
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, n]) => `${String(n).padStart(9)}  ${name}`)
      .join("\n");
  }
}
