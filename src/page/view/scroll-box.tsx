import type { ComponentChildren } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { reading } from "../text/index.ts";
import { observeSize } from "./measure.ts";
import { Reading, type BoxState } from "./reading.ts";

const LINE_PX = 20;

interface Props {
  /** Unique in its card. */
  box: string;
  /** What it holds, in words. */
  name: string;
  children: ComponentChildren;
}

/** Evidence in a box of bounded height. Where it overflows, its card stays locked until the end has been in view. */
export function ScrollBox({ box, name, children }: Props) {
  const report = useContext(Reading);
  const scroll = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isEndSeen, setEndSeen] = useState(false);
  const [below, setBelow] = useState(0);
  /** Undefined before it is measured: nothing is known to be in view then. */
  const [overflows, setOverflows] = useState<boolean>();
  const [isWide, setWide] = useState(false);
  const [isSideSeen, setSideSeen] = useState(false);

  useLayoutEffect(() => {
    const element = scroll.current;
    if (element === null || isOpen) return undefined;
    const measure = () => {
      const wide = element.scrollWidth - element.clientWidth;
      const high = element.scrollHeight - element.clientHeight;
      setWide(wide > 1);
      setOverflows(high > 1 || wide > 1);
      setBelow(high - element.scrollTop);
      if (wide > 1 && wide - element.scrollLeft <= 1) setSideSeen(true);
    };
    const unobserve = observeSize(element, measure);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      unobserve();
      element.removeEventListener("scroll", measure);
    };
  }, [isOpen]);

  useLayoutEffect(() => {
    if (overflows !== true || isEndSeen || end.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.intersectionRatio > 0)) setEndSeen(true);
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [overflows, isEndSeen]);

  const isSeen = isEndSeen && (!isWide || isSideSeen);
  const state = stateOf(isOpen, overflows, isSeen);
  useLayoutEffect(() => report(box, state), [report, box, state]);
  useLayoutEffect(() => () => report(box, "fits"), [report, box]);

  if (isOpen) return <div class="ev-whole">{children}</div>;
  const scrolls =
    overflows === true
      ? { tabIndex: 0, role: "region" as const, "aria-label": reading.scrolls(name) }
      : {};
  return (
    <>
      <div class="ev-scroll" ref={scroll} {...scrolls}>
        {children}
        <span class="ev-end" ref={end} />
      </div>
      {overflows === true && (
        <div class="ev-more">
          <span>
            {isSeen
              ? reading.seen
              : isEndSeen
                ? reading.sideways
                : reading.more(Math.ceil(Math.max(1, below) / LINE_PX))}
          </span>
          <button class="btn" type="button" onClick={() => setOpen(true)}>
            {reading.showAll}
          </button>
        </div>
      )}
    </>
  );
}

function stateOf(isOpen: boolean, overflows: boolean | undefined, isSeen: boolean): BoxState {
  if (isOpen) return "read";
  if (overflows === false) return "fits";
  return overflows === true && isSeen ? "read" : "unread";
}
