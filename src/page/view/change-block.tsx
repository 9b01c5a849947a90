import { useMemo, useState } from "preact/hooks";
import { diffFile, diffText, type DiffBlock, type DiffRow, type FileDiff } from "../model/diff.ts";
import type { FileChange } from "../model/evidence.ts";
import { diff, EVIDENCE_NAMES } from "../text/index.ts";
import { VisibleLines, VisibleText } from "../visible-text/visible-text.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Icon } from "./icons.tsx";
import { ScrollBox } from "./scroll-box.tsx";

/** One file's change: as a unified diff where it can be drawn, else the whole new text and why. */
export function ChangeBlock({ box, change }: { box: string; change: FileChange }) {
  const read = useMemo(() => diffFile(change), [change]);
  const name = EVIDENCE_NAMES[read.state === "shown" ? read.file : read.state];
  return (
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
      <ScrollBox box={box} name={name}>
        {read.state === "shown" ? (
          <DiffTable blocks={read.blocks} />
        ) : (
          <WholeText why={read.state} change={change} />
        )}
      </ScrollBox>
    </div>
  );
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
      <p class="ev-none">{WHY[why]}</p>
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

function DiffTable({ blocks }: { blocks: readonly DiffBlock[] }) {
  return (
    <table class="diff">
      <caption class="sr">{diff.caption}</caption>
      {blocks.map((block, index) => (
        <DiffRows key={index} block={block} />
      ))}
    </table>
  );
}

function DiffRows({ block }: { block: DiffBlock }) {
  const [isFolded, setFolded] = useState(block.folded);
  return (
    <tbody>
      {isFolded ? (
        <tr class="fold">
          <td colSpan={4}>
            <button class="fold-btn" type="button" onClick={() => setFolded(false)}>
              <Icon name="unfold" small />
              {diff.unchanged(block.rows.length)}
            </button>
          </td>
        </tr>
      ) : (
        block.rows.map((row, index) => <DiffLine key={index} row={row} />)
      )}
    </tbody>
  );
}

const ROW_LOOKS = {
  same: { look: "", sign: "", words: "" },
  added: { look: "add", sign: "+", words: diff.added },
  removed: { look: "del", sign: "−", words: diff.removed },
} as const;

function DiffLine({ row }: { row: DiffRow }) {
  const { look, sign, words } = ROW_LOOKS[row.change];
  return (
    <tr class={look}>
      <td class="n">{row.oldLine}</td>
      <td class="n">{row.newLine}</td>
      <td class="s">
        <span aria-hidden="true">{sign}</span>
        {words !== "" && <span class="sr">{words}</span>}
      </td>
      <td class="c">
        <code>
          {row.parts.map((part, index) => {
            const edges = { start: false, end: index === row.parts.length - 1 && look !== "" };
            const text = <VisibleText key={index} text={part.text} dir="ltr" edges={edges} />;
            return part.isChanged ? <mark key={index}>{text}</mark> : text;
          })}
        </code>
        {row.endsOpen && look !== "" && <span class="ends-open">{diff.noNewline}</span>}
      </td>
    </tr>
  );
}
