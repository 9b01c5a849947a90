import { useLayoutEffect, useRef } from "preact/hooks";
import { canExtend, extendability, type CardEntry, type Extension } from "../model/state.ts";
import { card as words, extensionLine, options as optionWords } from "../text/index.ts";
import { VisibleText } from "../visible-text/visible-text.tsx";
import { useRoom } from "./room-context.ts";
import type { Presses } from "./use-presses.ts";

/** Where the resident lets people wait longer: asks the Room for more time. Only the Room's answer moves the countdown. */
export function MoreTime({ entry, presses }: { entry: CardEntry; presses: Presses }) {
  switch (extendability(entry)) {
    case "none":
      return null;
    case "used_up":
      return <span class="card-since">{words.longest}</span>;
    case "open":
      return <Button entry={entry} presses={presses} />;
  }
}

function Button({ entry, presses }: { entry: CardEntry; presses: Presses }) {
  const { state, session } = useRoom();
  const button = useRef<HTMLButtonElement>(null);
  const { requestId } = entry.card;
  const isLive = () => !state.live || canExtend(state, requestId);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      // Focus that stood on it stays in its card.
      if (element === null || document.activeElement !== element) return;
      element.closest<HTMLElement>("[data-card]")?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <button
      class="btn btn-quiet"
      type="button"
      ref={button}
      aria-disabled={!canExtend(state, requestId)}
      {...presses.on("more time", isLive, () => session.extend(requestId))}
    >
      {words.moreTime}
      {extensionState(entry.extension, state.live)}
    </button>
  );
}

function extensionState(extension: Extension | undefined, live: boolean): string {
  if (extension?.state === "sending") return ` · ${optionWords.sending}`;
  if (extension?.state === "unknown") return ` · ${optionWords.unknown}`;
  return live ? "" : ` · ${optionWords.notConnected}`;
}

/** What became of asking, where the Room did not give more time. */
export function ExtensionLine({ extension }: { extension: Extension | undefined }) {
  if (extension === undefined || extension.state === "sending") return null;
  const said = extension.state === "refused" ? <VisibleText text={extension.message} /> : undefined;
  return (
    <p class="card-line" role="status">
      {extensionLine(extension, said)}
    </p>
  );
}
