import { useMemo, useState } from "preact/hooks";
import type { FileDiff } from "../model/diff.ts";
import { diffText } from "../model/diff-text.ts";
import type { FileChange } from "../model/evidence.ts";
import { diff, DIFF_NAMES } from "../text/diff.ts";
import { VisibleLines, VisibleText } from "../visible-text/visible-text.tsx";
import { CopyButton } from "./copy-button.tsx";
import { DiffTable } from "./diff-table.tsx";
import { Icon } from "./icons.tsx";
import { useUnread } from "./reading.ts";
import { ScrollBox } from "./scroll-box.tsx";

interface Props {
  box: string;
  change: FileChange;
  read: FileDiff;
  /** What it takes to draw it, and whether the card has room for that. */
  rows: number;
  fits: boolean;
}

/** One file's change: as a unified diff where it can be drawn, else the whole new text and why. */
export function ChangeBlock({ box, change, read, rows, fits }: Props) {
  const [isShown, setShown] = useState(fits);
  const name = nameOf(read);
  // Files that are added must not redraw those that are here.
  return useMemo(
    () => (
      <div class="ev" data-evidence="diff">
        <div class="ev-bar">
          <span class="ev-name">{name}</span>
          <span class="ev-at">
            <VisibleText text={change.path} dir="ltr" />
          </span>
          {read.state === "shown" && <Counts added={read.added} removed={read.removed} />}
          <CopyButton
            text={read.state === "shown" ? diffText(change.path, read.blocks) : change.newText}
            what={name}
          />
        </div>
        {isShown ? (
          <ScrollBox box={box} name={name}>
            <ChangeText change={change} read={read} />
          </ScrollBox>
        ) : (
          <Collapsed box={box} rows={rows} show={() => setShown(true)} />
        )}
      </div>
    ),
    [box, change, read, rows, name, isShown],
  );
}

function ChangeText({ change, read }: Pick<Props, "change" | "read">) {
  if (read.state !== "shown") return <WholeText why={read.state} change={change} />;
  if (read.blocks.length === 0) return <p class="ev-none">{diff.empty}</p>;
  return <DiffTable blocks={read.blocks} isPart={read.file === "part"} />;
}

function Collapsed({ box, rows, show }: { box: string; rows: number; show: () => void }) {
  useUnread(`${box}, collapsed`);
  return (
    <div class="ev-more">
      <span>{diff.collapsed(rows)}</span>
      <button class="btn" type="button" onClick={show}>
        {diff.show}
      </button>
    </div>
  );
}

function nameOf(read: FileDiff): string {
  if (read.state === "same") return DIFF_NAMES.same;
  if (read.state === "shown") return DIFF_NAMES[read.file];
  if (read.file === "part") return DIFF_NAMES.part_not_drawn;
  return read.file === "changed" ? DIFF_NAMES.not_drawn : DIFF_NAMES[read.file];
}

function Counts({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="ev-stat">
      <span class="stat-add">
        +{added}
        <span class="sr">{diff.linesAdded}</span>
      </span>{" "}
      <span class="stat-del">
        −{removed}
        <span class="sr">{diff.linesRemoved}</span>
      </span>
    </span>
  );
}

const WHY = { same: diff.same, too_large: diff.tooLarge, binary: diff.binary } as const;

function WholeText({
  why,
  change,
}: {
  why: Exclude<FileDiff["state"], "shown">;
  change: FileChange;
}) {
  const [isOldShown, showOld] = useState(false);
  const { oldText, newText } = change;
  return (
    <>
      <p class="ev-none">
        {why === "too_large" && change.parts !== undefined ? diff.tooLargePart : WHY[why]}
      </p>
      <pre class="term">
        <code>
          <VisibleLines text={newText} />
        </code>
      </pre>
      {why !== "same" && oldText !== undefined && oldText !== "" && (
        <details class="tree tree-in" onToggle={(event) => showOld(event.currentTarget.open)}>
          <summary>
            <Icon name="right" small />
            {diff.before}
          </summary>
          {isOldShown && (
            <pre>
              <code>
                <VisibleLines text={oldText} />
              </code>
            </pre>
          )}
        </details>
      )}
    </>
  );
}
