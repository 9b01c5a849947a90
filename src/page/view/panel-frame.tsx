import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { common } from "../text/index.ts";
import { goTo } from "./go-to.ts";
import { PANEL_ID } from "./panel.ts";

interface Props {
  title: string;
  close: () => void;
  children: ComponentChildren;
}

/** A panel that somebody has just opened: it is gone to. */
export function PanelFrame({ title, close, children }: Props) {
  useEffect(() => goTo(PANEL_ID), []);
  return (
    <section class="panel section" aria-labelledby="panel-title">
      <div class="panel-head">
        <h2 id="panel-title">{title}</h2>
        <button class="btn btn-quiet" type="button" onClick={close}>
          {common.close}
        </button>
      </div>
      {children}
    </section>
  );
}
