// `npm run handraise -- COMMAND`: the command from its sources, in the folder that npm was called in, as if it were installed there.
import { chdir, env } from "node:process";

if (env["INIT_CWD"] !== undefined) chdir(env["INIT_CWD"]);
await import("../src/cli/main.ts");
