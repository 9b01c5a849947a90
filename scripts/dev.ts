// `npm run dev`: the Worker and the page alone. What follows `--` goes to wrangler, and wins over what stands here.
import { spawn } from "node:child_process";
import { buildPage } from "./build-page.ts";
import { BIN, ROOT } from "./project.ts";
import { localVars, LOOPBACK_NAMES, serverEnvironment, TIED, varArguments } from "./server.ts";

const given = process.argv.slice(2);
const { ALLOWED_HOSTS = "", ...vars } = localVars();
const publicOrigin = process.env["PUBLIC_ORIGIN"];
const hosts = [ALLOWED_HOSTS, ...(publicOrigin ? [new URL(publicOrigin).hostname] : [])].join(",");

await buildPage();
const child = spawn(
  process.execPath,
  [
    TIED,
    `${BIN}/wrangler`,
    "dev",
    ...varArguments({
      ...vars,
      ...(isOpenToOthers() ? {} : { ALLOWED_HOSTS: hosts }),
      ...(publicOrigin ? { PUBLIC_ORIGIN: publicOrigin } : {}),
    }),
    ...given,
  ],
  { cwd: ROOT, stdio: ["inherit", "inherit", "inherit", "pipe"], env: serverEnvironment() },
);
child.on("exit", (code) => process.exit(code ?? 0));
// Ctrl-C reaches all of them; this one waits for wrangler to end.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});

/** Whoever binds another address names hosts that nobody here can know. */
function isOpenToOthers(): boolean {
  const at = given.findIndex((one) => one === "--ip" || one.startsWith("--ip="));
  if (at < 0) return false;
  const ip = given[at]?.includes("=") ? given[at].slice("--ip=".length) : given[at + 1];
  return ip === undefined || ![...LOOPBACK_NAMES, "::1"].includes(ip);
}
