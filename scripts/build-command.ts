// `handraise` as one package without dependencies, which the Worker serves beside the page: `npx -y https://HOST/handraise.tgz …`.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { projectEnvironment, ROOT } from "./project.ts";

const TARGET = `${ROOT}dist/command`;
const BUNDLE = "handraise.js";
/** Where the Worker's assets serve it from. */
export const PACKED = `${ROOT}dist/page/handraise.tgz`;

/** What it is made from. */
export const COMMAND_SOURCES = [
  "src/cli",
  "src/resident",
  "src/gate",
  "src/policy",
  "src/client",
  "src/protocol",
  "docs/compatibility.json",
  "scripts/build-command.ts",
  "scripts/command",
  "package.json",
];

/** Bundles the command, packs it and lays it beside the page. The same sources give the same bytes. @throws where that fails */
export async function buildCommand(): Promise<void> {
  rmSync(TARGET, { recursive: true, force: true });
  const modules = await bundle();
  cpSync(`${ROOT}scripts/command`, TARGET, { recursive: true });
  copyFileSync(`${ROOT}LICENSE`, `${TARGET}/LICENSE`);
  writeFileSync(`${TARGET}/THIRD-PARTY-LICENSES`, licencesOf(modules));
  const { version, license, description, engines } = readPackage(`${ROOT}package.json`);
  const manifest = {
    name: "handraise",
    version,
    description,
    license,
    type: "module",
    bin: { handraise: "bin/handraise.js" },
    engines,
  };
  writeFileSync(`${TARGET}/package.json`, `${JSON.stringify(manifest, undefined, 2)}\n`);
  pack(`handraise-${version}.tgz`);
}

/** @returns the ids of the modules that went in */
async function bundle(): Promise<string[]> {
  // Late: whoever only asks whether something is to be built need not load it.
  const { build } = await import("vite");
  const result = await build({
    configFile: false,
    root: ROOT,
    logLevel: "warn",
    mode: "production",
    ssr: { noExternal: true, target: "node" },
    build: {
      ssr: "src/cli/main.ts",
      outDir: TARGET,
      copyPublicDir: false,
      emptyOutDir: false,
      target: "node22",
      // Names stay as they are: an error that somebody reports is to be found in the sources.
      minify: false,
      rolldownOptions: { output: { entryFileNames: BUNDLE, codeSplitting: false } },
    },
  });
  const [made] = Array.isArray(result) ? result : [result];
  if (made === undefined || !("output" in made)) throw new Error("The command could not be built.");
  return made.output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
}

/** The licences of the packages that went into the bundle, as they ask for. */
function licencesOf(modules: readonly string[]): string {
  const folders = modules.flatMap((id) => {
    const found = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replace(/^\0/, ""));
    return found === null ? [] : [found[0]];
  });
  const texts = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version, license } = readPackage(`${folder}/package.json`);
    const file = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license", "license.md"].find((one) =>
      existsSync(`${folder}/${one}`),
    );
    const text =
      file === undefined ? `License: ${license}` : readFileSync(`${folder}/${file}`, "utf8");
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  return texts.join("\n----------------------------------------\n\n");
}

interface Package {
  name: string;
  version: string;
  license: string;
  description: string;
  engines: Record<string, string>;
}

function readPackage(file: string): Package {
  return JSON.parse(readFileSync(file, "utf8")) as Package;
}

function pack(file: string): void {
  const npm = process.env["npm_execpath"];
  const isScript = npm !== undefined && /\.c?js$/.test(npm);
  const args = ["pack", "--silent", "--ignore-scripts"];
  const { status, error } = spawnSync(
    isScript ? process.execPath : "npm",
    isScript ? [npm, ...args] : args,
    {
      cwd: TARGET,
      stdio: ["ignore", "ignore", "inherit"],
      env: projectEnvironment(),
      shell: !isScript && process.platform === "win32",
    },
  );
  if (error !== undefined) {
    throw new Error(`The command could not be packed: npm does not start (${error.message}).`);
  }
  if (status !== 0 || !existsSync(`${TARGET}/${file}`)) {
    throw new Error("The command could not be packed: npm pack failed, see above.");
  }
  mkdirSync(`${ROOT}dist/page`, { recursive: true });
  // In one step: a server that is running may be asked for it meanwhile.
  copyFileSync(`${TARGET}/${file}`, `${TARGET}/packed`);
  renameSync(`${TARGET}/packed`, PACKED);
}

if (import.meta.main) await buildCommand();
