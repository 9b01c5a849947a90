import type { ComponentChildren } from "preact";
import { invites as words } from "../text/invites.ts";
import { Icon, type IconName } from "./icons.tsx";
import { AgentLine, HumanLink, SetupPrompt } from "./invites.tsx";
import { Mint } from "./mint.tsx";
import { PanelFrame } from "./panel-frame.tsx";

/** New keys to the Room: a link for a person, a line for an agent. */
export function InvitePanel({ close }: { close: () => void }) {
  return (
    <PanelFrame title={words.title} close={close}>
      <div class="invite">
        <Column icon="people" title={words.person} lead={words.personLead}>
          <Mint role="human" make={words.personMake}>
            {({ url, invite }) => (
              <HumanLink url={url ?? `${location.origin}/r#${invite}`} as="h4" />
            )}
          </Mint>
        </Column>
        <Column icon="agent" title={words.agent} lead={words.agentLead}>
          <Mint role="resident" make={words.agentMake}>
            {({ invite }) => <AgentLine invite={invite} as="h4" />}
          </Mint>
          <SetupPrompt as="h4" />
        </Column>
      </div>
    </PanelFrame>
  );
}

interface ColumnProps {
  icon: IconName;
  title: string;
  lead: string;
  children: ComponentChildren;
}

function Column({ icon, title, lead, children }: ColumnProps) {
  return (
    <div class="invite-col">
      <h3>
        <Icon name={icon} />
        {title}
      </h3>
      <p class="hint">{lead}</p>
      {children}
    </div>
  );
}
