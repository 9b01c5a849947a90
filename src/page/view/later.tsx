import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { common } from "../text/index.ts";

/**
 * A part of the page whose script is fetched once the part is first shown: what a card needs comes first. `Meanwhile` stands in its
 * place for as long as it is not here.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile?: ComponentType<Props>,
): ComponentType<Props> {
  let part: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [hasFailed, setFailed] = useState(false);
    const [, look] = useState(0);
    useEffect(() => {
      let isShown = true;
      const fetchPart = async () => {
        try {
          part ??= await load();
          if (isShown) look((looks) => looks + 1);
        } catch {
          // A server with a newer page no longer has this one's parts.
          if (isShown) setFailed(true);
        }
      };
      if (part === undefined) void fetchPart();
      return () => {
        isShown = false;
      };
    }, []);
    const Part = part;
    if (Part !== undefined) return <Part {...props} />;
    return (
      <>
        {Meanwhile !== undefined && <Meanwhile {...props} />}
        {hasFailed && (
          <p class="later-failed">
            {common.partFailed}{" "}
            <button class="btn" type="button" onClick={() => location.reload()}>
              {common.reload}
            </button>
          </p>
        )}
      </>
    );
  };
}
