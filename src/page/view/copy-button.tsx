import { useEffect, useState } from "preact/hooks";
import { common } from "../text/index.ts";
import { Icon } from "./icons.tsx";

const SHOWN_MS = 2_000;

/** Copies exactly this text: not what is drawn for it. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [result, setResult] = useState<"copied" | "failed">();
  useEffect(() => {
    if (result === undefined) return undefined;
    const timer = setTimeout(() => setResult(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => setResult((await copyText(text)) ? "copied" : "failed");
  return (
    <button class="btn btn-quiet" type="button" onClick={() => void copy()}>
      <Icon name="copy" small />
      <span aria-live="polite">
        {result === undefined
          ? common.copy
          : result === "copied"
            ? common.copied
            : common.copyFailed}
        {result === undefined && <span class="sr"> {what}</span>}
      </span>
    </button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain http there is no clipboard: the old way still works there.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "sr";
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
