import { readSecrets, type Secret } from "../../resident/secrets.ts";
import type { ResidentOptions } from "../resident-options.ts";

/** What cards show by name: the invite always, secret-looking variables unless the operator said otherwise. */
export function secretsOf({ redact }: Pick<ResidentOptions, "redact">, invite: string): Secret[] {
  const own: Secret = { name: "HANDRAISE_INVITE", value: invite };
  const others = redact ? readSecrets(process.env) : [];
  return [own, ...others].sort((one, other) => other.value.length - one.value.length);
}
