// Stands between the command under test and an agent: `node tap.mjs TRANSCRIPT PID_FILE COMMAND`. Passes everything through and
// writes each line with its direction to the transcript: what an agent was really told, whatever anybody says of it. Plain
// JavaScript, because it starts for every case.
import { spawn } from "node:child_process";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";

const [transcript, pidFile, command] = process.argv.slice(2);
// The agent's group, which the command under test made for it, as long as this process leads it.
writeFileSync(pidFile, String(process.pid));
const child = spawn(command, { shell: true, stdio: ["pipe", "pipe", "inherit"] });
// A signal to the group reaches the agent by itself; it decides when both end.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
child.stdin.on("error", () => undefined);
process.stdout.on("error", () => undefined);
pass(process.stdin, child.stdin, "to");
pass(child.stdout, process.stdout, "from");
child.once("exit", (code) => {
  note("end", JSON.stringify({ code }));
  rmSync(pidFile, { force: true });
  setTimeout(() => process.exit(code ?? 1), 100);
});

function pass(source, target, way) {
  let rest = "";
  source.setEncoding("utf8");
  source.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) note(way, line);
    target.write(text);
  });
  source.on("end", () => target.end());
}

function note(way, line) {
  appendFileSync(transcript, `${JSON.stringify({ way, line })}\n`);
}
