type LogValue = string | number | boolean | undefined;

/** One JSON object a line. Ids, codes and durations only: never tool input, option names, tokens or message text. */
export function log(event: string, facts: Record<string, LogValue> = {}): void {
  console.log(JSON.stringify({ event, ...facts }));
}

/** The same for what should not have happened. An error's message may quote data, so only its name is kept. */
export function logFault(
  event: string,
  error: unknown,
  facts: Record<string, LogValue> = {},
): void {
  const name = error instanceof Error ? error.name : typeof error;
  console.error(JSON.stringify({ event, error: name, ...facts }));
}
