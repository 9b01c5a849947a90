import { limits } from "../../protocol/index.ts";
import type { AskSettings } from "../../resident/parked-ask.ts";
import type { ResidentOptions } from "../resident-options.ts";

/** How requests are asked, as the options say. */
export function askSettingsOf(
  options: Pick<ResidentOptions, "expiresIn" | "maxExpiresIn" | "ifNoHuman" | "onExpiry">,
): AskSettings {
  const { expiresIn, maxExpiresIn, ifNoHuman, onExpiry } = options;
  const expiresInMs = expiresIn ?? limits.EXPIRES_IN_DEFAULT_MS;
  return { expiresInMs, maxExpiresInMs: maxExpiresIn, ifNoHuman, onExpiry };
}
