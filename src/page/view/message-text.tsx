import { useEffect, useMemo, useState } from "preact/hooks";
import { talk as words } from "../text/talk.ts";
import { readLines, type Line } from "../visible-text/runs.ts";
import { Lines } from "../visible-text/visible-text.tsx";

/** Lines of one message that are shown unasked. */
const FOLD = 40;
/** The newest messages, which are all drawn. */
const MESSAGES = 50;

/** What somebody said. It is drawn once: whatever comes draws the log around it anew. */
export function MessageText({ text, onUnfold }: { text: string; onUnfold: () => void }) {
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => readLines(text, { sharing: MESSAGES }), [text]);
  const isLong = lines.length > FOLD;
  const drawn = useMemo(
    () => <Lines lines={isWhole ? lines : lines.slice(0, FOLD)} dir="auto" />,
    [lines, isWhole],
  );
  useEffect(() => {
    if (isWhole) onUnfold();
    // Only once it has grown.
  }, [isWhole]);
  return (
    <>
      <div class="msg-text">{drawn}</div>
      {isLong && (
        <button
          class="btn"
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? words.showLess : words.showAll(countLines(lines))}
        </button>
      )}
    </>
  );
}

function countLines(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + (line.kind === "line" ? 1 : line.count), 0);
}
