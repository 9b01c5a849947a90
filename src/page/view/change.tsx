import { useContext, useLayoutEffect } from "preact/hooks";
import type { FileChange } from "../model/evidence.ts";
import { card as words } from "../text/index.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { later } from "./later.tsx";
import { Reading } from "./reading.ts";

const load = async () => (await import("./change-block.tsx")).ChangeBlock;

/** Fetches what draws a change before the first one is here; where that fails, the change itself says so. */
export function expectChanges(): void {
  load().catch(() => undefined);
}

interface Props {
  box: string;
  change: FileChange;
  /** Files that change in all. */
  files: number;
}

/** One file's change. What is not drawn yet counts as not read. */
export const Change = later(load, Coming);

function Coming({ box, change }: Props) {
  const report = useContext(Reading);
  useLayoutEffect(() => {
    const coming = `${box}, coming`;
    report(coming, "unread");
    return () => report(coming, "fits");
  }, [report, box]);
  return (
    <div class="ev">
      <div class="ev-bar">
        <span class="ev-at">
          <VisibleText text={change.path} dir="ltr" />
        </span>
      </div>
      <p class="ev-none">{words.diffLoading}</p>
    </div>
  );
}
