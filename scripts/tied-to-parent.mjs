// Runs a command that must not outlive its parent, however that ends: `node tied-to-parent.mjs COMMAND ARGS…`. The parent holds
// this process's stdin open; when it closes, everything in the process group goes.
import { spawn } from "node:child_process";

const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });
child.on("exit", (code) => process.exit(code ?? 1));
child.on("error", (error) => {
  console.error(error.message);
  process.exit(1);
});
process.stdin.resume().on("close", () => process.kill(-process.pid, "SIGKILL"));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
