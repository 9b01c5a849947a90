import { useContext, useState } from "preact/hooks";
import type { DiffBlock, DiffRow } from "../model/diff.ts";
import { diff } from "../text/diff.ts";
import { Sharing, VisibleText } from "../visible-text/visible-text.tsx";
import { Icon } from "./icons.tsx";

/** A unified diff. `isPart`: the file is larger than what was sent of it. */
export function DiffTable({ blocks, isPart }: { blocks: readonly DiffBlock[]; isPart: boolean }) {
  return (
    <table class="diff">
      <caption class="sr">{diff.caption}</caption>
      {blocks.map((block, index) => (
        <DiffRows key={index} block={block} sharing={blocks.length} />
      ))}
      {isPart && (
        <tbody>
          <Unsent words={diff.unsentAfter} />
        </tbody>
      )}
    </table>
  );
}

/** Unfolded at once: more would stop the page for a moment. */
const UNFOLDED = 500;

/** `sharing`: how many blocks the table has. */
function DiffRows({ block, sharing }: { block: DiffBlock; sharing: number }) {
  const { rows, unsent = 0 } = block;
  const [count, setCount] = useState(block.folded ? 0 : rows.length);
  const shown = rows.slice(0, count);
  const hidden = rows.length - count;
  const texts = shown.reduce((sum, { parts }) => sum + parts.length, 0);
  const inAll = useContext(Sharing) * sharing * texts;
  return (
    <tbody>
      {unsent > 0 && <Unsent words={diff.unsent(unsent)} />}
      <Sharing.Provider value={inAll}>
        {shown.map((row, index) => (
          <DiffLine key={index} row={row} />
        ))}
      </Sharing.Provider>
      {hidden > 0 && (
        <tr class="fold">
          <td colSpan={4}>
            <button
              class="fold-btn"
              type="button"
              onClick={() => setCount(Math.min(rows.length, count + UNFOLDED))}
            >
              <Icon name="unfold" small />
              {diff.unchanged(hidden)}
            </button>
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** Unlike a fold there is nothing behind it. */
function Unsent({ words }: { words: string }) {
  return (
    <tr class="unsent">
      <td colSpan={4}>{words}</td>
    </tr>
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
            // The other half of a line's end is no hidden character, in rows that stay as they are either.
            const isMarked = look !== "" || part.text.endsWith("\r");
            const edges = { start: false, end: index === row.parts.length - 1 && isMarked };
            const text = <VisibleText key={index} text={part.text} dir="ltr" edges={edges} />;
            return part.isChanged ? <mark key={index}>{text}</mark> : text;
          })}
        </code>
        {row.endsOpen && look !== "" && <span class="ends-open">{diff.noNewline}</span>}
      </td>
    </tr>
  );
}
