import { firstSteps as words, invites, opensDemo } from "../text/invites.ts";
import { Icon } from "./icons.tsx";
import { Mint } from "./mint.tsx";
import { useRoom } from "./room-context.ts";
import { Secret } from "./secret.tsx";

/** What to do in a Room in which nobody has asked yet. */
export function FirstSteps({ invite }: { invite: () => void }) {
  const { state } = useRoom();
  const hasAgent = state.participants.some((one) => one.role === "resident" && one.present);
  return (
    <>
      {!hasAgent && (
        <div class="hello-more">
          <p>{words.bring}</p>
          <button class="btn" type="button" onClick={invite}>
            <Icon name="invite" small />
            {words.invite}
          </button>
        </div>
      )}
      <section class="demo" aria-labelledby="demo-title">
        <h2 id="demo-title">{words.demo}</h2>
        <p class="hint">{words.demoLead}</p>
        <Mint role="resident" make={words.demoMake}>
          {({ invite }) => (
            <Secret label={invites.run} text={opensDemo(invite, location.origin)} as="h3" />
          )}
        </Mint>
      </section>
    </>
  );
}
