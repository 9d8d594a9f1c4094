import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

/** The rows drawn above and below the visible ones, so that a key can move to the next row. */
const spare = 12;

/** A list that draws only its visible rows and scrolls with the page; heights are fixed, in `rem`. */
export function Windowed(given: {
  readonly label: string;
  readonly count: number;
  readonly heightOf: (at: number) => number;
  /** Changes whenever the heights do. */
  readonly heights: unknown;
  readonly row: (at: number) => ComponentChildren;
  /** The row to scroll to, once for each name. */
  readonly show?: { readonly name: unknown; readonly at: number } | undefined;
  readonly onRange?: (from: number, to: number) => void;
}): VNode {
  const { label, count, heightOf, row, show, onRange } = given;
  const list = useRef<HTMLUListElement>(null);
  const tops = useMemo(() => topsOf(count, heightOf), [count, given.heights]);
  const [[from, to], setRange] = useState<readonly [number, number]>([0, Math.min(count, 3 * spare)]);
  const heard = useRef(onRange);
  heard.current = onRange;
  useLayoutEffect(() => {
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const place = list.current?.getBoundingClientRect();
      if (place === undefined) return;
      const seen = rangeOf(tops, -place.top / rem(), (innerHeight - place.top) / rem());
      setRange((before) => (before[0] === seen[0] && before[1] === seen[1] ? before : seen));
      heard.current?.(...seen);
    };
    const soon = (): void => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", soon);
      removeEventListener("resize", soon);
    };
  }, [tops]);
  useLayoutEffect(() => {
    const top = list.current?.getBoundingClientRect().top;
    if (show === undefined || top === undefined) return;
    const seen = top + (tops[Math.min(show.at, count)] ?? 0) * rem();
    // A visible row stays in place.
    if (seen < innerHeight / 5 || seen > innerHeight - 4 * rem()) scrollTo({ top: scrollY + seen - innerHeight / 2 });
  }, [show?.name]);
  const last = Math.min(to, count);
  const first = Math.min(from, last);
  return (
    <ul
      aria-label={label}
      class="windowed"
      ref={list}
      style={{ paddingTop: `${tops[first] ?? 0}rem`, paddingBottom: `${(tops[count] ?? 0) - (tops[last] ?? 0)}rem` }}
    >
      {Array.from({ length: last - first }, (_, at) => row(first + at))}
    </ul>
  );
}

function topsOf(count: number, heightOf: (at: number) => number): readonly number[] {
  const tops = [0];
  for (let at = 0; at < count; at++) tops.push((tops[at] ?? 0) + heightOf(at));
  return tops;
}

/** Finds the rows between two heights plus some spare, in steps, so that small scrolling draws nothing. */
function rangeOf(tops: readonly number[], above: number, below: number): readonly [number, number] {
  const from = Math.floor((firstAfter(tops, above) - spare) / spare) * spare;
  const to = Math.ceil((firstAfter(tops, below) + spare) / spare) * spare;
  return [Math.max(0, from), Math.max(0, Math.min(tops.length - 1, to))];
}

function firstAfter(tops: readonly number[], height: number): number {
  let [low, high] = [0, tops.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tops[middle + 1] ?? Number.POSITIVE_INFINITY) > height) high = middle;
    else low = middle + 1;
  }
  return low;
}

function rem(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
