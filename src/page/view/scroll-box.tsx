import type { ComponentChildren } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { reading } from "../text/index.ts";
import { Reading } from "./reading.ts";

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
  const [isSeen, setSeen] = useState(false);
  const [below, setBelow] = useState(0);
  const [overflows, setOverflows] = useState(false);

  useLayoutEffect(() => {
    const element = scroll.current;
    if (element === null || isOpen) return undefined;
    const measure = () => {
      setOverflows(element.scrollHeight - element.clientHeight > 1);
      setBelow(element.scrollHeight - element.clientHeight - element.scrollTop);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [isOpen]);

  useLayoutEffect(() => {
    if (!overflows || isSeen || end.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.intersectionRatio > 0)) setSeen(true);
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [overflows, isSeen]);

  const state = isOpen || (overflows && isSeen) ? "read" : overflows ? "unread" : "fits";
  useLayoutEffect(() => report(box, state), [report, box, state]);
  useLayoutEffect(() => () => report(box, "fits"), [report, box]);

  if (isOpen) return <div class="ev-whole">{children}</div>;
  const scrolls = overflows
    ? { tabIndex: 0, role: "region" as const, "aria-label": reading.scrolls(name) }
    : {};
  return (
    <>
      <div class="ev-scroll" ref={scroll} {...scrolls}>
        {children}
        <span class="ev-end" ref={end} />
      </div>
      {overflows && (
        <div class="ev-more">
          <span>
            {isSeen ? reading.seen : reading.more(Math.ceil(Math.max(1, below) / LINE_PX))}
          </span>
          <button class="btn" type="button" onClick={() => setOpen(true)}>
            {reading.showAll}
          </button>
        </div>
      )}
    </>
  );
}
