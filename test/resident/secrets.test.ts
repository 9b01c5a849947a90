import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSecrets, redact } from "../../src/resident/secrets.ts";

const PEM = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj
MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu
NMoSfm76oqFvAp8Gy0iz5sxjZmSnXyCdPEovGhLa0VzMaQ8s+CLOyS56YyCFGeJZ
qg==
-----END PRIVATE KEY-----`;

describe("which variables are secret", () => {
  it.each([
    ["GITHUB_TOKEN", "ghp_0123456789abcdef"],
    ["npm_config_//registry.example/:_authToken", "npm_0123456789"],
    ["aws_secret_access_key", "/wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
    ["Db_Password", "correct horse battery"],
    ["API_KEY", "abcdefgh"],
    ["DATABASE_PASSWORD_URL", "postgres://app:hunter22@db.example/app"],
    ["WEBHOOK_SECRET", "https://hooks.example/services/T000/B000"],
  ])("%s is", (name, value) => {
    expect(readSecrets({ [name]: value })).toEqual([{ name, value }]);
  });

  it.each([
    ["another name", "PATH_TO_ALL", "ghp_0123456789abcdef"],
    ["fewer than 8 characters", "API_KEY", "abcdefg"],
    ["blanks", "API_KEY", "            "],
    ["a path", "SSH_KEY", "/home/x/.ssh/id_ed25519"],
    ["a path from home", "SSH_KEY", "~/.ssh/id_ed25519"],
    ["a path with a drive", "SIGNING_KEY", String.raw`C:\Program Files\keys\one.pfx`],
    ["the address of a server", "KEYCLOAK_URL", "https://sso.example:8443/"],
    ["a common word", "POSTGRES_PASSWORD", "Postgres"],
    ["a setting of Git", "GIT_CONFIG_KEY_0", "safe.directory"],
    ["a word of ACP", "TABLE_KEY", "rawInput"],
  ])("%s is none", (_, name, value) => {
    expect(readSecrets({ [name]: value })).toEqual([]);
  });

  it("names no variable as a secret that another one points to", () => {
    const env = { API_KEY_FROM: "OPENAI_API_KEY", OPENAI_API_KEY: "sk-0123456789" };
    expect(readSecrets(env)).toEqual([{ name: "OPENAI_API_KEY", value: "sk-0123456789" }]);
  });

  it("has the longest first, and one name for one value", () => {
    const env = { A_KEY: "12345678", B_TOKEN: "1234567890", C_SECRET: "12345678" };
    expect(readSecrets(env)).toEqual([
      { name: "B_TOKEN", value: "1234567890" },
      { name: "A_KEY", value: "12345678" },
    ]);
  });

  it("leaves out unset variables and the blanks around a value", () => {
    expect(readSecrets({ A_KEY: undefined, B_KEY: " 12345678\n" })).toEqual([
      { name: "B_KEY", value: "12345678" },
    ]);
  });
});

describe("a secret of several lines", () => {
  const secrets = readSecrets({ DEPLOY_KEY: PEM });

  it("is shown by its name", () => {
    expect(redact(`cat <<EOF\n${PEM}\nEOF`, secrets)).toBe("cat <<EOF\n‹DEPLOY_KEY›\nEOF");
  });

  it("is found where JSON wrote it", () => {
    const text = `curl -d '${JSON.stringify({ key: PEM })}'`;
    expect(redact(text, secrets)).toBe(`curl -d '{"key":"‹DEPLOY_KEY, escaped›"}'`);
  });

  it("is found line by line, whatever stands before a line", () => {
    const lines = PEM.split("\n").slice(0, 3);
    expect(redact(lines.map((line) => `    ${line}\r\n`).join(""), secrets)).toBe(
      "    -----BEGIN PRIVATE KEY-----\r\n    ‹DEPLOY_KEY, line 2›\r\n    ‹DEPLOY_KEY, line 3›\r\n",
    );
  });
});

describe("showing a text without its secrets", () => {
  it("names each that appears, every time", () => {
    const secrets = readSecrets({ A_KEY: "a+b(c)[d]", B_KEY: "$&$1^\\w/-" });
    expect(redact("-H a+b(c)[d]:$&$1^\\w/- a+b(c)[d]", secrets)).toBe("-H ‹A_KEY›:‹B_KEY› ‹A_KEY›");
  });

  it("takes the longest where one is the beginning of another", () => {
    const secrets = readSecrets({ A_KEY: "12345678", B_KEY: "12345678-long" });
    expect(redact("12345678-long 12345678-lon", secrets)).toBe("‹B_KEY› ‹A_KEY›-lon");
  });

  it("reads no name that it has put there", () => {
    const secrets = [
      { name: "A_KEY_LONG", value: "0123456789" },
      { name: "B", value: "A_KEY_LO" },
    ];
    expect(redact("0123456789", secrets)).toBe("‹A_KEY_LONG›");
  });

  const value = fc.string({
    unit: fc.constantFrom(...'ab.*$\\\n"é🦊'),
    minLength: 8,
    maxLength: 12,
  });
  const env = fc.dictionary(fc.stringMatching(/^[A-Z]{1,4}_KEY$/), value, {
    minKeys: 1,
    maxKeys: 5,
  });
  const filler = fc.string({ unit: fc.constantFrom(..."ab.*$ \n"), maxLength: 10 });

  it("never leaves one, and changes nothing else", () => {
    const texts = env.chain((env) =>
      fc.tuple(
        fc.constant(env),
        fc.array(fc.oneof(fc.constantFrom(...Object.values(env)), filler), { maxLength: 12 }),
      ),
    );
    fc.assert(
      fc.property(texts, ([env, parts]) => {
        const secrets = readSecrets(env);
        const text = parts.join("");
        const shown = redact(text, secrets);
        for (const { value } of secrets) expect(shown).not.toContain(value);
        expect(shown !== text).toBe(secrets.some(({ value }) => text.includes(value)));
        const back = shown.replace(
          /‹([^›]*)›/g,
          (_, name: string) => secrets.find((secret) => secret.name === name)?.value ?? "?",
        );
        expect(back).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
