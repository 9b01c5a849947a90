import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionSettings } from "./session-settings.ts";
import { terminalText } from "./terminal-text.ts";

/** What an operator chose for a session. Nothing else is ever set. */
export interface SessionChoices {
  mode?: string | undefined;
  /** Config option id → value. */
  config: ReadonlyMap<string, string>;
}

/** A call to the agent: resolves with its result, rejects with its error. */
export type AgentCall = (method: string, params: object) => Promise<unknown>;

/** Sets what an operator chose, and checks by what the agent reports back. @throws where it was not taken as chosen. */
export async function applyChoices(
  sessionId: string,
  settings: SessionSettings,
  { mode, config }: SessionChoices,
  call: AgentCall,
): Promise<void> {
  const setConfig = async (configId: string, value: string | boolean): Promise<void> => {
    const type = typeof value === "boolean" ? { type: "boolean" } : {};
    const params = { sessionId, configId, ...type, value };
    settings.note(await call("session/set_config_option", params));
  };
  if (mode !== undefined) {
    requireOffered(`mode ${quote(mode)}`, mode, settings.modes);
    const { modeOptionId } = settings;
    if (modeOptionId !== undefined) await setConfig(modeOptionId, mode);
    else {
      const take = settings.expectMode(mode);
      take(await call("session/set_mode", { sessionId, modeId: mode }));
    }
  }
  for (const [id, value] of config) {
    const option = settings.config.find((option) => option.id === id);
    if (option === undefined) throw new Error(`The agent has no config option ${quote(id)}`);
    if (typeof option.current === "boolean") await setConfig(id, readSwitch(id, value));
    else {
      requireOffered(`value ${quote(value)} for ${quote(id)}`, value, option.choices);
      await setConfig(id, value);
    }
  }
  // What the agent sent in one piece with its last answer is read by then.
  await nextTurn();
  // Last, because one setting can change another.
  requireTaken(settings, { mode, config });
}

/** Checks what an operator chose by what the agent reported last. @throws where it is not so. */
export function requireTaken(settings: SessionSettings, { mode, config }: SessionChoices): void {
  requireSet("mode", mode, settings.mode);
  for (const [id, value] of config) {
    const now = settings.config.find((option) => option.id === id)?.current;
    requireSet(quote(id), value, now === undefined ? undefined : String(now));
  }
}

function readSwitch(id: string, value: string): boolean {
  if (value !== "true" && value !== "false") throw new Error(`${quote(id)} is true or false`);
  return value === "true";
}

function requireOffered(what: string, id: string, choices: readonly { id: string }[]): void {
  if (choices.some((choice) => choice.id === id)) return;
  const known = choices.map((choice) => quote(choice.id)).join(", ");
  throw new Error(`The agent offers no ${what}. It offers: ${known === "" ? "none" : known}`);
}

function requireSet(what: string, wanted: string | undefined, now: string | undefined): void {
  if (wanted === undefined || wanted === now) return;
  const reported = now === undefined ? "nothing" : quote(now);
  throw new Error(`The agent did not set ${what} to ${quote(wanted)}: it reports ${reported}`);
}

function quote(text: string): string {
  return terminalText(JSON.stringify(text));
}
