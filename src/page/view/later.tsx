import type { ComponentType, FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { common } from "../text/index.ts";

/** A part of the page that comes later. `expect` fetches it before it is first shown; where that fails, the part itself says so. */
export type LaterPart<Props extends object> = FunctionComponent<Props> & { expect: () => void };

/**
 * A part of the page whose script is fetched once the part is first shown: what a card needs comes first. `Meanwhile` stands in its
 * place for as long as it is not here.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile?: ComponentType<Props>,
): LaterPart<Props> {
  let part: ComponentType<Props> | undefined;
  let coming: Promise<void> | undefined;
  const fetchPart = async () => {
    try {
      part = await load();
    } finally {
      coming = undefined;
    }
  };
  // All that wait share one promise: they are redrawn together.
  const expectPart = async () => {
    if (part === undefined) await (coming ??= fetchPart());
  };
  function Later(props: Props) {
    const [hasFailed, setFailed] = useState(false);
    const [, look] = useState(0);
    const Part = part;
    useEffect(() => {
      let isShown = true;
      const showPart = async () => {
        try {
          await expectPart();
          if (isShown) look((looks) => looks + 1);
        } catch {
          // A server with a newer page no longer has this one's parts.
          if (isShown) setFailed(true);
        }
      };
      if (Part === undefined) void showPart();
      return () => {
        isShown = false;
      };
    }, []);
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
  }
  const expect = () => {
    expectPart().catch(() => undefined);
  };
  return Object.assign(Later, { expect });
}
