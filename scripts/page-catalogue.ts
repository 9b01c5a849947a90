// `npm run page:catalogue`: every state of the page on one page. `-- --shots DIR` takes pictures instead, `--only A,B` of some.
import { parseArgs } from "node:util";
import { build } from "vite";
import { CATALOGUE } from "../src/page-catalogue/catalogue.ts";
import { CATALOGUE_CONFIG, serveCatalogue } from "./catalogue-server.ts";
import { shootCatalogue } from "./catalogue-shots.ts";

const { values } = parseArgs({ options: { shots: { type: "string" }, only: { type: "string" } } });
const server = await serveCatalogue();
if (values.shots === undefined) {
  console.log(
    `Every state of the page: ${server.url}\nRebuilt as its sources change: reload then.`,
  );
  await build({ configFile: CATALOGUE_CONFIG, logLevel: "warn", build: { watch: {} } });
} else {
  const only = values.only?.split(",");
  const names = CATALOGUE.map(({ name }) => name).filter((name) => only?.includes(name) ?? true);
  await shootCatalogue(server.url, values.shots, names);
  await server.stop();
}
