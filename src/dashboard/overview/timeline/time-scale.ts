/** A stretch of time and its place on the line; one without events is folded. */
export type Stretch = {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly right: number;
  readonly isFolded: boolean;
};

/** Maps every time of a run to a position on a line. */
export type TimeScale = {
  readonly stretches: readonly Stretch[];
  /** The folded time, in seconds. */
  readonly folded: number;
  x(time: number): number;
};

const hour = 3_600_000;

/** The width of a fold; grows slowly with its length. */
function foldWidth({ from, to }: { readonly from: number; readonly to: number }): number {
  return Math.min(90, 26 + 12 * Math.log2(1 + (to - from) / hour));
}

/** Maps times to a line of this width; quiet hours are folded to leave room for events. */
export function timeScale(moments: readonly number[], width: number): TimeScale {
  const times = [...new Set(moments)].sort((one, other) => one - other);
  const [first = 0] = times;
  const last = times.at(-1) ?? first;
  const gaps = times.slice(1).map((to, at) => ({ from: times[at] ?? to, to }));
  const quiet = quietGap(gaps.map(({ from, to }) => to - from));
  const longest = gaps
    .filter(({ from, to }) => to - from > quiet)
    .sort((one, other) => other.to - other.from - (one.to - one.from));
  const folds = longest.slice(0, Math.floor(width / 8)).sort((one, other) => one.from - other.from);
  // folds take at most two fifths of the line together
  const wanted = folds.reduce((sum, fold) => sum + foldWidth(fold), 0);
  const narrowed = Math.min(1, (0.4 * width) / Math.max(1, wanted));
  const busy = last - first - folds.reduce((sum, { from, to }) => sum + to - from, 0);
  const room = Math.max(1, width - wanted * narrowed);
  const stretches: Stretch[] = [];
  let [from, left] = [first, 0];
  const add = (to: number, isFolded: boolean): void => {
    const right =
      left + (isFolded ? foldWidth({ from, to }) * narrowed : busy === 0 ? room : ((to - from) / busy) * room);
    if (to > from || stretches.length === 0) stretches.push({ from, to, left, right, isFolded });
    [from, left] = [to, right];
  };
  for (const fold of folds) {
    if (fold.from > from) add(fold.from, false);
    add(fold.to, true);
  }
  if (last > from || stretches.length === 0) add(last, false);
  return {
    stretches,
    folded: folds.reduce((sum, fold) => sum + (fold.to - fold.from) / 1000, 0),
    x: (time) => {
      const stretch = stretches.find(({ to }) => time <= to) ?? stretches.at(-1);
      if (stretch === undefined || stretch.to === stretch.from) return stretch?.left ?? 0;
      const part = Math.min(1, Math.max(0, (time - stretch.from) / (stretch.to - stretch.from)));
      return stretch.left + part * (stretch.right - stretch.left);
    },
  };
}

/** A gap longer than this is quiet: at least an hour, and far longer than usual here. */
function quietGap(gaps: readonly number[]): number {
  const sorted = [...gaps].sort((one, other) => one - other);
  return Math.max(hour, 8 * (sorted[Math.floor((sorted.length - 1) * 0.75)] ?? 0));
}

/** The times of tick marks, at full minutes, hours or days, as many as fit. `minutesWest`: the time zone; the local one by default. */
export function ticksOf(
  { stretches }: TimeScale,
  apart: number,
  minutesWest?: number,
): readonly { readonly time: number; readonly x: number }[] {
  const open = stretches.filter(({ isFolded, from, to }) => !isFolded && to > from);
  const [widest] = [...open].sort((one, other) => other.right - other.left - (one.right - one.left));
  if (widest === undefined) return [];
  const perPixel = (widest.to - widest.from) / (widest.right - widest.left);
  const every = steps.find((step) => step / perPixel >= apart) ?? 7 * 24 * hour;
  const zone = (minutesWest ?? new Date(widest.from).getTimezoneOffset()) * 60_000;
  return open.flatMap(({ from, to, left, right }) => {
    const ticks = [];
    // limits the marks in a stretch of months
    for (let time = Math.ceil((from - zone) / every) * every + zone; time <= to && ticks.length < 100; time += every)
      ticks.push({ time, x: left + ((time - from) / (to - from)) * (right - left) });
    return ticks;
  });
}

const minutes = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880];
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...minutes.map((count) => count * 60_000),
];
