import type { ReadToolCall } from "../model/evidence.ts";
import { card as words, OTHER_KIND_BELOW, toolKindWords } from "../text/index.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { Icon } from "./icons.tsx";
import { toolIcon } from "./kind-looks.ts";
import { TextBlock } from "./text-block.tsx";

const SHORT_TITLE = 300;
const SHORT_KIND = 120;

/** What the agent wants, in the page's own words; its own title below, where the evidence does not say the same. */
export function What({ read, id }: { read: ReadToolCall; id: string }) {
  const { title, kind } = read;
  const isLongKind = kind !== undefined && kind.length > SHORT_KIND;
  const isShort = title !== undefined && title.length <= SHORT_TITLE && !title.includes("\n");
  return (
    <>
      <div class="what">
        <Icon name={toolIcon(kind)} />
        <div>
          <h3 class="what-kind" id={id}>
            {isLongKind ? OTHER_KIND_BELOW : <ToolKind kind={kind} />}
          </h3>
          {isShort && (
            <p class="said">
              <span class="said-by">{words.title}</span> <VisibleText text={title} />
            </p>
          )}
        </div>
      </div>
      {isLongKind && <TextBlock box="kind" what="kind" text={kind} />}
      {title !== undefined && !isShort && <TextBlock box="title" what="long_title" text={title} />}
    </>
  );
}

const BRIEF_KIND = 40;

/** `brief`: where it only names a card that is shown whole elsewhere. */
export function ToolKind({ kind, brief }: { kind: string | undefined; brief?: boolean }) {
  const { words, other } = toolKindWords(
    brief === true ? kind?.slice(0, BRIEF_KIND).toWellFormed() : kind,
  );
  return (
    <>
      {words}
      {other !== undefined && <VisibleText text={other} />}
    </>
  );
}
