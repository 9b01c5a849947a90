import { useEffect, useRef } from "preact/hooks";
import { common } from "../text/index.ts";
import { moveAll } from "./placement.ts";
import { KEYS, keys as words } from "../text/keys.ts";

/** The list of keys; `shows` counts how often somebody asked for it. */
export function KeysDialog({ shows }: { shows: number }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (shows > 0) dialog.current?.showModal();
  }, [shows]);
  return (
    <dialog class="panel" ref={dialog} aria-labelledby="keys-title" onClose={moveAll}>
      <div class="panel-head">
        <h2 id="keys-title">{words.title}</h2>
        <button class="btn btn-quiet" type="button" onClick={() => dialog.current?.close()}>
          {common.close}
        </button>
      </div>
      <p class="panel-note">{words.note}</p>
      <dl class="keys">
        {KEYS.map(({ keys, does }) => [
          <dt key={`k${does}`}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>,
          <dd key={`d${does}`}>{does}</dd>,
        ])}
      </dl>
    </dialog>
  );
}
