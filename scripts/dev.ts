// `npm run dev`: the Worker and the page alone. What follows `--` goes to wrangler.
import { spawn } from "node:child_process";
import { BIN, buildPage, ROOT, serverEnvironment } from "./server.ts";

await buildPage();
const child = spawn(`${BIN}/wrangler`, ["dev", ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: "inherit",
  env: serverEnvironment(),
});
child.on("exit", (code) => process.exit(code ?? 0));
