import { useState } from "preact/hooks";
import type { InviteMinted, Role } from "../../protocol/index.ts";
import { residentJoins } from "../text/home.ts";
import { invite as words } from "../text/people.ts";
import { Problem, useAsking } from "./asking.tsx";
import { PanelFrame } from "./panel-frame.tsx";
import { useRoom } from "./room-context.ts";
import { Secret } from "./secret.tsx";

/** New keys to the Room: a link for a person, a line for an agent. */
export function InvitePanel({ close }: { close: () => void }) {
  return (
    <PanelFrame title={words.title} close={close}>
      <div class="invite">
        <Mint
          role="human"
          title={words.person}
          lead={words.personLead}
          make={words.personMake}
          label={words.human}
          textOf={({ url, invite }) => url ?? `${location.origin}/r#${invite}`}
        />
        <Mint
          role="resident"
          title={words.agent}
          lead={words.agentLead}
          make={words.agentMake}
          label={words.resident}
          textOf={({ invite }) => residentJoins(invite, location.origin)}
        />
      </div>
    </PanelFrame>
  );
}

interface MintProps {
  role: Role;
  title: string;
  lead: string;
  make: string;
  label: string;
  textOf: (minted: InviteMinted) => string;
}

/** Nothing is minted before somebody asks for it: every invite is one more key. */
function Mint({ role, title, lead, make, label, textOf }: MintProps) {
  const { session } = useRoom();
  const [text, setText] = useState<string>();
  const asking = useAsking();
  const mint = () => asking.ask(async () => setText(textOf(await session.api.invite(role))));
  if (text !== undefined) {
    return (
      <div class="invite-col">
        <Secret label={label} lead={lead} text={text} />
      </div>
    );
  }
  return (
    <div class="invite-col">
      <h3>{title}</h3>
      <p class="hint">{lead}</p>
      <p>
        <button
          class="btn"
          type="button"
          aria-disabled={asking.isAsking}
          onClick={() => void mint()}
        >
          {asking.isAsking ? words.making : make}
        </button>
      </p>
      <Problem asking={asking} />
    </div>
  );
}
