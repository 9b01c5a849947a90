import { useMemo, useState } from "preact/hooks";
import { DIFF_ROWS, diffFile, editsFor, shownRows, type FileDiff } from "../model/diff.ts";
import type { FileChange } from "../model/evidence.ts";
import { diff } from "../text/diff.ts";
import { ChangeBlock } from "./change-block.tsx";
import { FIRST_FILES } from "./change.tsx";
import { useUnread } from "./reading.ts";

/** Files that one press adds. */
const MORE_FILES = 200;

/** Every file's change, as far as a page can draw at once; the rest a press away, and not read until then. */
export function ChangeList({ changes }: { changes: readonly FileChange[] }) {
  const [limit, setLimit] = useState(FIRST_FILES);
  // Kept, so that a file that is drawn is not searched again when more are.
  const reads = useMemo(() => new Map<FileChange, FileDiff>(), [changes]);
  let rows = 0;
  const blocks = changes.slice(0, limit).map((change, index) => {
    const read = reads.get(change) ?? diffFile(change, editsFor(changes.length));
    reads.set(change, read);
    const own = shownRows(read, change);
    const fits = index === 0 || rows + own <= DIFF_ROWS;
    if (fits) rows += own;
    const box = `change-${index}`;
    return <ChangeBlock key={index} box={box} change={change} read={read} rows={own} fits={fits} />;
  });
  const left = changes.length - blocks.length;
  return (
    <>
      {blocks}
      {left > 0 && <MoreFiles left={left} show={() => setLimit(limit + MORE_FILES)} />}
    </>
  );
}

function MoreFiles({ left, show }: { left: number; show: () => void }) {
  useUnread("changes, more");
  const next = Math.min(left, MORE_FILES);
  return (
    <div class="ev">
      <p class="ev-none">{diff.moreFiles(left)}</p>
      <p class="ev-none">
        <button class="btn" type="button" onClick={show}>
          {diff.showFiles(next)}
        </button>
      </p>
    </div>
  );
}
