import { invites as words, runsAgent, setupPrompt } from "../text/invites.ts";
import { later } from "./later.tsx";
import { Secret } from "./secret.tsx";

const QrCode = later(async () => (await import("./qr-code.tsx")).QrCode);

interface Level {
  as: "h2" | "h4";
}

/** The way in for a person: for a phone to look at, and to copy. */
export function HumanLink({ url, as, lead }: Level & { url: string; lead?: string }) {
  return (
    <>
      <Secret label={words.human} {...(lead === undefined ? {} : { lead })} text={url} as={as} />
      <div class="qr">
        <QrCode text={url} label={words.qr} />
      </div>
    </>
  );
}

export function AgentLine({ invite, as }: Level & { invite: string }) {
  return (
    <Secret
      label={words.run}
      lead={words.runLead}
      text={runsAgent(invite, location.origin)}
      as={as}
    />
  );
}

export function SetupPrompt({ as }: Level) {
  return (
    <Secret
      label={words.prompt}
      lead={words.promptLead}
      text={setupPrompt(location.origin)}
      as={as}
    />
  );
}
