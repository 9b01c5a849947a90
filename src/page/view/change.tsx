import type { FileChange } from "../model/evidence.ts";
import { card as words } from "../text/index.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { later } from "./later.tsx";
import { useUnread } from "./reading.ts";

/** Files drawn at first: a request may change thousands. */
export const FIRST_FILES = 50;

/** Every file's change. What is not drawn yet counts as not read. */
export const Changes = later(async () => (await import("./change-list.tsx")).ChangeList, Coming);

/** Fetches what draws a change before the first one is here. */
export function expectChanges(): void {
  Changes.expect();
}

function Coming({ changes }: { changes: readonly FileChange[] }) {
  useUnread("changes, coming");
  return (
    <div class="ev">
      {changes.slice(0, FIRST_FILES).map((change, index) => (
        <div class="ev-bar" key={index}>
          <span class="ev-at">
            <VisibleText text={change.path} dir="ltr" />
          </span>
        </div>
      ))}
      <p class="ev-none">{words.diffLoading}</p>
    </div>
  );
}
