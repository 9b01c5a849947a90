const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Calls `stop` when this process is asked to end, once. From then on it is for `stop` to end it in an orderly way; asked again,
 * it ends at once. @returns how to stop listening
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): () => void {
  const stopListening = (): void => {
    for (const signal of SIGNALS) process.off(signal, listen);
  };
  const listen = (signal: NodeJS.Signals): void => {
    stopListening();
    stop(signal);
  };
  for (const signal of SIGNALS) process.on(signal, listen);
  return stopListening;
}
