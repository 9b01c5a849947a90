import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { InviteMinted, Role } from "../../protocol/index.ts";
import { invites as words } from "../text/invites.ts";
import { Problem, useAsking } from "./asking.tsx";
import { useRoom } from "./room-context.ts";

interface Props {
  role: Role;
  /** What the button is called. */
  make: string;
  children: (minted: InviteMinted) => ComponentChildren;
}

/** Nothing is minted before somebody asks for it: every invite is one more key. */
export function Mint({ role, make, children }: Props) {
  const { session } = useRoom();
  const [minted, setMinted] = useState<InviteMinted>();
  const asking = useAsking();
  const mint = () => asking.ask(async () => setMinted(await session.api.invite(role)));
  if (minted !== undefined) return <>{children(minted)}</>;
  return (
    <>
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
    </>
  );
}
