/** A value that people are shown as `‹name›`. */
export interface Secret {
  name: string;
  value: string;
}

const SECRET_NAME = /token|secret|key|password/i;
/** Git passes its settings in pairs of variables; the first of each pair names the setting. */
const GIT_SETTING_NAME = /^GIT_CONFIG_KEY_\d+$/;

const SHORTEST = 8;
/** A line of a longer secret that is looked for by itself. Shorter ones stand in many files. */
const SHORTEST_LINE = 16;

/** Where a file is: whoever decides must see it. */
const PATH =
  /^(?:(?:~|\.\.?)\/|[A-Za-z]:[\\/]|\/(?:Applications|Library|Users|Volumes|app|builds|data|dev|etc|github|home|mnt|nix|opt|private|proc|root|run|srv|tmp|usr|var|workspaces?)\/).*$/;
/** A server without an account, a path or a query. */
const SERVER = /^(?:https?|wss?):\/\/[^\s/@?#]+\/?$/i;
const PEM_FRAME = /^-----(?:BEGIN|END) [A-Z0-9 ]+-----$/;

/** What settings, test passwords and ACP itself are written in: hiding it would hide the question and protect nothing. */
const WORDS = new Set(
  `administrator anonymous changeit changeme completed database default-key development disabled external filesystem
  in_progress internal keychain localhost locations optional passw0rd password password1 postgres postgresql production
  rawinput rawoutput readonly required standard switch_mode toolcallid undefined username workspace`.split(
    /\s+/,
  ),
);

/**
 * The values of variables whose names say that they are secret (TOKEN, SECRET, KEY, PASSWORD), of 8 characters or more, longest
 * first. A value that is a path, a bare server address, a common word or the name of another such variable is none. One of
 * several lines is there in one piece, as JSON writes it (`NAME, escaped`), and by its longer lines (`NAME, line 2`).
 */
export function readSecrets(env: NodeJS.ProcessEnv): Secret[] {
  const named = Object.entries(env)
    .filter(([name]) => SECRET_NAME.test(name) && !GIT_SETTING_NAME.test(name))
    .map(([name, value]) => ({ name, value: value?.trim() ?? "" }));
  const secrets = named.filter(({ value }) => isSecret(value)).flatMap(formsOf);
  const byValue = new Map<string, Secret>();
  for (const secret of secrets) {
    const isName = named.some(({ name }) => name.includes(secret.value));
    if (!isName && !byValue.has(secret.value)) byValue.set(secret.value, secret);
  }
  return [...byValue.values()].sort((a, b) => b.value.length - a.value.length);
}

function isSecret(value: string): boolean {
  if (value.length < SHORTEST || WORDS.has(value.toLowerCase())) return false;
  return !PATH.test(value) && !SERVER.test(value);
}

/** Each form has a name of its own, so that different texts never look the same. */
function formsOf(secret: Secret): Secret[] {
  const { name, value } = secret;
  const forms = [secret];
  const escaped = JSON.stringify(value).slice(1, -1);
  if (escaped !== value) forms.push({ name: `${name}, escaped`, value: escaped });
  const lines = value.split(/\r?\n/);
  if (lines.length === 1) return forms;
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (text.length < SHORTEST_LINE || PEM_FRAME.test(text)) continue;
    forms.push({ name: `${name}, line ${index + 1}`, value: text });
  }
  return forms;
}

/** The text with every secret shown as `‹name›`. `secrets`: longest first. */
export function redact(text: string, secrets: readonly Secret[]): string {
  return redactorOf(secrets)(text);
}

/** `redact` for many texts. All secrets are looked for at once: what one was replaced by is never read again. */
export function redactorOf(secrets: readonly Secret[]): (text: string) => string {
  if (secrets.length === 0) return (text) => text;
  const names = new Map(secrets.map(({ name, value }) => [value, name]));
  const pattern = new RegExp(secrets.map(({ value }) => escapeForPattern(value)).join("|"), "g");
  return (text) => text.replace(pattern, (value) => markerOf(names.get(value) ?? ""));
}

export function markerOf(name: string): string {
  return `‹${name}›`;
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
