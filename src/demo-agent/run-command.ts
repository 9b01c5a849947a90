import { spawn } from "node:child_process";

/** As much of a command's output as is reported. */
const OUTPUT_CHARACTERS = 4_000;

/** Runs a command in a shell and returns its exit code and the beginning of its output. Ends it when `signal` aborts. */
export function runCommand(
  command: string,
  cwd: string,
  signal: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { cwd, shell: true, signal, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const take = (text: string): void => {
      if (output.length < OUTPUT_CHARACTERS) output = (output + text).slice(0, OUTPUT_CHARACTERS);
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
