import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseInvite } from "../../src/client/index.ts";
import { Handraise } from "../support/handraise.ts";
import { LiveMember } from "../support/live-member.ts";
import { LiveServer } from "../support/live-server.ts";

const KEY = "only-for-me";
const server = new LiveServer({ ROOM_CREATION_KEY: KEY });

beforeAll(() => server.start());
afterAll(() => server.end());

async function makeRoom(args: string[], env: Record<string, string> = {}): Promise<Handraise> {
  const making = new Handraise(["room", ...args], {
    env: { HANDRAISE_SERVER: server.url, ...env },
  });
  await making.exitCode();
  return making;
}

describe("handraise room", () => {
  it("prints a link for people and an invite for an agent, each of which lets in as what it is", async () => {
    const making = await makeRoom(["--name", "Deploys"], { HANDRAISE_ROOM_CREATION_KEY: KEY });
    expect(await making.exitCode()).toBe(0);
    expect(making.stderr).toBe("");
    expect(making.stdout).toMatch(/^Room “Deploys” is open/);
    expect(making.stdout).not.toContain(KEY);
    expect(making.stdout).toContain("For people: open this link.\n");
    const link = /^ {2}(http\S+)$/m.exec(making.stdout)?.[1] ?? "";
    const invite = /^ {2}(hr1\.ri\.\S+)$/m.exec(making.stdout)?.[1] ?? "";
    expect(parseInvite(link)?.server).toBe(server.url);
    const ana = await LiveMember.join(server.url, parseInvite(link)?.invite ?? "", "Ana");
    const agent = await LiveMember.join(server.url, invite, "Builder");
    expect((await ana.api.room()).you.role).toBe("human");
    expect((await agent.api.room()).you.role).toBe("resident");
    // Every command to copy has its invite in the environment, where no list of processes shows it.
    const commands = making.stdout.split("\n").filter((line) => line.includes("npx -y"));
    expect(commands).toHaveLength(3);
    for (const line of commands) {
      expect(line).toMatch(/^ {2}HANDRAISE_INVITE='http\S+#hr1\.(hi|ri)\.\S+' npx -y (?!.*hr1\.)/);
    }
  });

  it("prints the Room as one line of JSON", async () => {
    const making = await makeRoom(["--json"], { HANDRAISE_ROOM_CREATION_KEY: KEY });
    expect(JSON.parse(making.stdout)).toMatchObject({
      humanUrl: expect.stringContaining("/r#") as string,
    });
    expect(making.stdout.trimEnd()).not.toContain("\n");
  });

  it("says what is missing where the server wants a key, and where there is no server", async () => {
    const keyless = await makeRoom([]);
    expect(await keyless.exitCode()).toBe(3);
    expect(keyless.stderr).toMatch(/No Room was made\. Set HANDRAISE_ROOM_CREATION_KEY/);
    const nowhere = await makeRoom([], { HANDRAISE_SERVER: "http://127.0.0.1:9" });
    expect(await nowhere.exitCode()).toBe(3);
    expect(nowhere.stderr).toMatch(/^http:\/\/127\.0\.0\.1:9 did not answer\. No Room was made\./);
    expect(keyless.stdout + nowhere.stdout).toBe("");
  });
});
