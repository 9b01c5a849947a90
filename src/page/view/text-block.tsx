import { useMemo } from "preact/hooks";
import type { TextEvidence } from "../model/evidence.ts";
import { card, EVIDENCE_NAMES } from "../text/index.ts";
import { VisibleLines, VisibleText } from "../visible-text/visible-text.tsx";
import { CopyButton } from "./copy-button.tsx";
import { ScrollBox } from "./scroll-box.tsx";

interface Props {
  box: string;
  what: TextEvidence["what"] | "long_title" | "kind" | "fields";
  text: string;
  cwd?: string | undefined;
}

/** One text of the agent, whole: monospace, wrapped, its newlines kept. */
export function TextBlock({ box, what, text, cwd }: Props) {
  const name = EVIDENCE_NAMES[what];
  const isCommand = what === "command" || what === "title";
  const look = isCommand ? (text.trimEnd().includes("\n") ? "" : " term-one") : " term-text";
  const lines = useMemo(() => <VisibleLines text={text} />, [text]);
  return (
    <div class="ev" data-evidence={what}>
      <div class="ev-bar">
        <span class="ev-name">{name}</span>
        {cwd !== undefined && (
          <span class="ev-at">
            {card.in}
            <VisibleText text={cwd} dir="ltr" />
          </span>
        )}
        <CopyButton text={text} what={name} />
      </div>
      <ScrollBox box={box} name={name}>
        <pre class={`term${look}`}>
          <code>{lines}</code>
        </pre>
      </ScrollBox>
    </div>
  );
}
