import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import compatibility from "../../docs/compatibility.json" with { type: "json" };
import { ROOT } from "../../scripts/project.ts";
import { createRoom } from "../../src/client/index.ts";
import type { InspectionReport } from "../../src/resident/inspection.ts";
import { Handraise } from "../support/handraise.ts";
import { LiveMember } from "../support/live-member.ts";
import { LiveServer } from "../support/live-server.ts";
import type { AgentScript } from "../support/scripted-agent.ts";

const server = new LiveServer();
const folder = realpathSync(mkdtempSync(join(tmpdir(), "handraise-doctor-MARK-")));
const started: Handraise[] = [];

beforeAll(() => server.start());
afterAll(async () => {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => Promise.all(started.splice(0).map((one) => one.kill())));

/** What is in a text that could act on a terminal. */
const ACTS = /[^\P{C}\n\t]|[\u2028\u2029]/u;

function inspect(
  script: Partial<AgentScript>,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
): Handraise {
  const whole = JSON.stringify({ marker: join(folder, "marker"), turns: [], ...script });
  const agent = [process.execPath, `${ROOT}test/support/scripted-agent.ts`, whole];
  const doctor = new Handraise(["doctor", ...args, "--", ...agent], {
    cwd: folder,
    env: { HANDRAISE_SERVER: "", HANDRAISE_INVITE: "", ...env },
  });
  started.push(doctor);
  return doctor;
}

function modesOf(currentModeId: string, ...ids: string[]): object {
  return { currentModeId, availableModes: ids.map((id) => ({ id, name: id })) };
}

/** A mode of the table in which its agent was measured so. */
function measured(asking: string): { agentInfo: object; mode: string } {
  for (const { acpName: name, version, modes } of compatibility.agents) {
    const found = Object.entries(modes).find(([, how]) => how === asking);
    if (found !== undefined) return { agentInfo: { name, version }, mode: found[0] };
  }
  throw new Error(`the table knows no mode that ${asking}`);
}

describe("handraise doctor", () => {
  it("says plainly that a mode asks nobody", async () => {
    const { agentInfo, mode } = measured("never");
    const doctor = inspect({ agentInfo, session: { modes: modesOf(mode, mode) } });
    expect(await doctor.exitCode()).toBe(0);
    expect(doctor.stdout).toContain(`Effective mode: ${mode}\n`);
    expect(doctor.stdout).toContain("Whether it may still ask: no\n");
    expect(doctor.stdout).toContain("In this mode the agent acts without asking.");
    expect(doctor.stderr).toBe("");
  });

  // B102
  it("never calls an agent protected that was not seen to ask", async () => {
    const doctor = inspect({ session: { modes: modesOf("ask-always", "ask-always") } });
    expect(await doctor.exitCode()).toBe(0);
    expect(doctor.stdout).toContain(
      "No permission request was seen; this agent may act without asking.",
    );
    expect(doctor.stdout).toMatch(/^Whether it may still ask: unknown$/m);
    expect(doctor.stdout).not.toMatch(/protected/i);
  });

  it("sets a mode that is chosen, checks it, and says how far it holds", async () => {
    const { agentInfo, mode } = measured("asks");
    const session = { modes: modesOf("other", "other", mode) };
    const replies = { "session/set_mode": { result: {} } };
    const args = ["--mode", mode, "--json"];
    const set = inspect({ agentInfo, session, replies }, { args });
    expect(await set.exitCode()).toBe(0);
    expect(JSON.parse(set.stdout)).toMatchObject({
      effectiveMode: { value: mode },
      mayStillAsk: { value: "yes" },
      scope: { value: "session" },
      usableUnattended: { value: [mode] },
    } satisfies Partial<Record<keyof InspectionReport, object>>);
    const refused = inspect({ agentInfo, session }, { args });
    expect(await refused.exitCode()).toBe(3);
    expect(JSON.parse(refused.stdout)).toMatchObject({ effectiveMode: { value: "other" } });
    expect(refused.stderr).toMatch(/did not take what --mode or --config chose/);
  });

  it("shows no path, account, tool or value of the environment", async () => {
    const MARK = "MARK-7431";
    const option = {
      id: "model",
      name: `${MARK}-name`,
      category: "model",
      currentValue: `${MARK}/model`,
      options: [{ value: `${MARK}/model`, name: MARK, description: MARK }],
    };
    const script: Partial<AgentScript> = {
      agentInfo: { name: "an agent", title: MARK, version: "1", _meta: { account: MARK } },
      session: {
        _meta: { account: MARK, cwd: folder },
        authMethods: [{ id: MARK, name: MARK }],
        tools: [MARK],
        modes: {
          currentModeId: "ask",
          availableModes: [
            { id: "ask", name: `Ask ${MARK}-secret`, description: MARK, _meta: { path: MARK } },
            { id: "work", name: `In ${folder}` },
            { id: "play", name: "as mark-7431@example.com" },
          ],
        },
        configOptions: [option],
      },
    };
    for (const args of [[], ["--json"]]) {
      const env = { SERVICE_TOKEN: `${MARK}-secret`, OTHER: MARK };
      const doctor = inspect(script, { args, env });
      expect(await doctor.exitCode()).toBe(0);
      expect(doctor.stdout).toContain("‹SERVICE_TOKEN›");
      expect(doctor.stdout + doctor.stderr).not.toMatch(/MARK|mark-7431|\/tmp\//);
    }
  });

  it("lets no name act on the terminal, in either form", async () => {
    const hostile = "\u001B[2J\u001B]0;owned\u0007\u202Eask\u2066\r\u200B";
    const session = { modes: modesOf(hostile, hostile, "a\nWhether it may still ask: yes") };
    for (const args of [[], ["--json"]]) {
      const doctor = inspect({ agentInfo: { name: hostile, version: hostile }, session }, { args });
      expect(await doctor.exitCode()).toBe(0);
      expect(doctor.stdout).not.toMatch(ACTS);
      expect(doctor.stdout).not.toMatch(/^Whether it may still ask: yes/m);
      expect(doctor.stdout).toContain("u{202e}ask");
    }
  });

  it.each([
    { script: { exitAtOnce: 4 }, says: /process ended \(exit code 4\)/, protocol: "unknown" },
    { script: { protocolVersion: 3 }, says: /speaks ACP version 3\./, protocol: "ACP 3" },
  ])("exits 3 without a session, the rest unknown: $says", async ({ script, says, protocol }) => {
    const doctor = inspect(script, { args: ["--json"] });
    expect(await doctor.exitCode()).toBe(3);
    expect(doctor.stderr).toMatch(says);
    expect(JSON.parse(doctor.stdout)).toMatchObject({
      protocol: { value: protocol },
      effectiveMode: { value: "unknown" },
      mayStillAsk: { value: "unknown" },
    });
  });

  it("tells why there is no session before the report of what is unknown", async () => {
    // Both on one stream, as on a terminal.
    const script = `"$NODE" "$MAIN" doctor -- "$NODE" -e "process.exit(7)" 2>&1`;
    const shell = spawn("bash", ["-c", script], {
      env: { ...process.env, NODE: process.execPath, MAIN: `${ROOT}src/cli/main.ts` },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [first, second] = (await text(shell.stdout)).split("\n");
    expect(first).toMatch(/^The agent's process ended \(exit code 7\)\. Nothing was joined/);
    expect(second).toBe("Agent: unknown");
  });

  it.each([
    { what: "an empty command", script: `"$NODE" "$MAIN" doctor -- ""`, says: /command is empty/ },
    {
      what: "a folder that is gone",
      script: `mkdir "$FOLDER/gone" && cd "$FOLDER/gone" && rmdir "$FOLDER/gone" && "$NODE" "$MAIN" doctor -- "$NODE" -v`,
      says: /folder that this was started in is gone/,
    },
  ])("starts nothing with $what, and says so", async ({ script, says }) => {
    const shell = spawn("bash", ["-c", script], {
      env: {
        ...process.env,
        NODE: process.execPath,
        MAIN: `${ROOT}src/cli/main.ts`,
        FOLDER: folder,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [printed, complained] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
    expect(complained).toMatch(says);
    expect(complained).not.toMatch(/\n\s+at /);
    expect(printed).toBe("");
  });

  it("gives an agent that hangs up in time", async () => {
    const doctor = new Handraise(
      ["doctor", "--timeout", "1s", "--", process.execPath, "-e", "process.stdin.resume()"],
      { cwd: folder },
    );
    started.push(doctor);
    expect(await doctor.exitCode()).toBe(3);
    expect(doctor.stderr).toMatch(/not ready within 1s/);
  });

  it("says whether the server is reachable, and joins nothing", async () => {
    const room = await createRoom({ server: server.url }, {});
    const env = { HANDRAISE_SERVER: server.url, HANDRAISE_INVITE: room.residentInvite };
    const doctor = inspect({}, { env });
    expect(await doctor.exitCode()).toBe(0);
    expect(doctor.stdout).toMatch(/^Server: reachable$/m);
    expect(doctor.stdout + doctor.stderr).not.toMatch(/hr1\./);
    const ana = await LiveMember.join(server.url, room.humanInvite, "Ana");
    const { participants } = await ana.api.room();
    expect(participants.map(({ name }) => name)).toEqual(["Ana"]);
  });

  it("says that a server which is none is unreachable, without failing for it", async () => {
    const other = createServer((_, response) => response.end("<html>")).listen(0, "127.0.0.1");
    await once(other, "listening");
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const doctor = inspect({}, { args: ["--server", url] });
    expect(await doctor.exitCode()).toBe(0);
    expect(doctor.stdout).toMatch(/^Server: unreachable$/m);
    other.close();
  });

  it("gives the agent no prompt and none of the command's own variables", async () => {
    const report = join(folder, "seen");
    const agent = `
      const fs = require("node:fs");
      fs.writeFileSync(${JSON.stringify(report)}, Object.keys(process.env).join() + "\\n");
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method } = JSON.parse(line);
        fs.appendFileSync(${JSON.stringify(report)}, method + "\\n");
        const result = { protocolVersion: 1, sessionId: "s" };
        console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
      });`;
    const doctor = new Handraise(["doctor", "--", process.execPath, "-e", agent], {
      cwd: folder,
      env: { HANDRAISE_INVITE: "hr1.ri.x.y", HANDRAISE_SERVER: server.url },
    });
    started.push(doctor);
    expect(await doctor.exitCode()).toBe(0);
    const [variables = "", ...methods] = readFileSync(report, "utf8").trim().split("\n");
    expect(variables).not.toMatch(/HANDRAISE_/);
    expect(methods).toEqual(["initialize", "session/new"]);
  });
});
