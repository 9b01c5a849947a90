import { JoinPage } from "../page/view/door.tsx";
import { HomePage } from "../page/view/home-page.tsx";
import { StopPage } from "../page/view/stop-page.tsx";
import type { DoorShown } from "./shown.ts";

/** A page on which there is no Room. */
export function DoorState({ shown: { door, name } }: { shown: DoorShown }) {
  return (
    <div data-acted={name}>
      {door === "home" ? (
        <HomePage />
      ) : door === "join" ? (
        <JoinPage name="Ana" join={async () => undefined} />
      ) : (
        <StopPage reason={door} />
      )}
    </div>
  );
}
