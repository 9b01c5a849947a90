// Runs a command that must not outlive its parent, however that ends: `node tied-to-parent.mjs COMMAND ARGS…`. The parent holds
// a pipe open as descriptor 3; when it closes, the command goes, and the whole process group where this leads one.
import { spawn } from "node:child_process";
import { Socket } from "node:net";

const [command = "", ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: "inherit" });
child.on("exit", (code) => process.exit(code ?? 1));
child.on("error", (error) => {
  console.error(error.message);
  process.exit(1);
});
const parent = new Socket({ fd: 3 });
parent.resume().on("close", () => {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    child.kill("SIGTERM");
  }
});
parent.on("error", () => {});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
