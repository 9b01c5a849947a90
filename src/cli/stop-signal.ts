import { EXIT } from "./exit.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Calls `stop` when this process is asked to end, once. From then on it is for `stop` to end it in an orderly way; asked again,
 * it ends at once. @returns how to stop listening
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): () => void {
  const stopListening = (): void => {
    for (const signal of SIGNALS) process.off(signal, listen);
  };
  let isStopping = false;
  const listen = (signal: NodeJS.Signals): void => {
    // Its own exit, not the signal's: an agent ends with it.
    if (isStopping) process.exit(EXIT.failed);
    isStopping = true;
    stop(signal);
  };
  for (const signal of SIGNALS) process.on(signal, listen);
  return stopListening;
}
