import type { TimeScale } from "./time-scale.ts";

type Outcome = "checking" | "waits" | "refused" | "declined" | "replaced" | "completed";

/** The parts of an attempt that a timeline shows. */
export type Timed = {
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly state: string;
  readonly handIns: readonly { readonly outcome: Outcome; readonly at: string; readonly endedAt?: string }[];
  readonly waits: readonly { readonly from: string; readonly to?: string }[];
  readonly itemsMoved?: readonly string[];
  readonly word?: { readonly level: "auto" | "relayed" | "elicited" | "proven" };
};

/** A piece of a timeline row: work, waiting for a person, or work in progress; in pixels. */
export type Span = { readonly kind: "work" | "waits" | "open"; readonly left: number; readonly right: number };

/** A mark on a row: refused, rejected by a person, or completed with an approval of this level. */
export type SpanMark = {
  readonly kind: "refused" | "declined" | "relayed" | "elicited" | "proven";
  readonly x: number;
};

/** The pieces of one row; pieces narrower than a pixel are merged. */
export function timelineSpans(attempts: readonly Timed[], scale: TimeScale, now: number): readonly Span[] {
  const pieces = attempts.flatMap((attempt): readonly Span[] => {
    const [start, end] = [Date.parse(attempt.startedAt), timeOr(attempt.endedAt, now)];
    const waits = attempt.waits.map(({ from, to }) => ({ from: Date.parse(from), to: Math.min(end, timeOr(to, now)) }));
    const kind = attempt.state === "open" ? "open" : "work";
    const work: Span[] = [];
    let from = start;
    for (const wait of waits) {
      if (wait.from > from) work.push({ kind, left: scale.x(from), right: scale.x(wait.from) });
      work.push({ kind: "waits", left: scale.x(wait.from), right: scale.x(wait.to) });
      from = wait.to;
    }
    if (end > from || work.length === 0) work.push({ kind, left: scale.x(from), right: scale.x(end) });
    return work;
  });
  return merged([...pieces].sort((one, other) => one.left - other.left));
}

function merged(pieces: readonly Span[]): readonly Span[] {
  const kept: Span[] = [];
  for (const piece of pieces) {
    const last = kept.at(-1);
    const wide = { ...piece, right: Math.max(piece.right, piece.left + 2) };
    if (last === undefined || wide.left - last.right > 1 || (last.kind !== wide.kind && wide.right - wide.left > 2))
      kept.push(wide);
    else kept[kept.length - 1] = { ...last, right: Math.max(last.right, wide.right) };
  }
  return kept;
}

/** The marks of one row; overlapping marks of a kind are merged. */
export function timelineMarks(attempts: readonly Timed[], scale: TimeScale): readonly SpanMark[] {
  const marks = attempts.flatMap(({ handIns: submissions, word, endedAt }): readonly SpanMark[] => [
    ...submissions.flatMap(({ outcome, endedAt: end, at }) =>
      outcome === "refused" || outcome === "declined" ? [{ kind: outcome, x: scale.x(Date.parse(end ?? at)) }] : [],
    ),
    ...(word !== undefined && word.level !== "auto" && endedAt !== undefined
      ? [{ kind: word.level, x: scale.x(Date.parse(endedAt)) }]
      : []),
  ]);
  const sorted = [...marks].sort((one, other) => one.x - other.x);
  // with very many marks only their positions matter
  const apart = marks.length > 60 ? 12 : 4;
  const last = new Map<SpanMark["kind"], number>();
  return sorted.filter(({ kind, x }) => {
    if (x - (last.get(kind) ?? Number.NEGATIVE_INFINITY) < apart) return false;
    last.set(kind, x);
    return true;
  });
}

/** All times that a timeline shows. */
export function timelineTimes(attempts: readonly Timed[], now: number): readonly number[] {
  const times = attempts.flatMap(({ startedAt, endedAt, handIns: submissions, waits, itemsMoved = [] }) => [
    startedAt,
    ...itemsMoved,
    ...(endedAt === undefined ? [] : [endedAt]),
    ...submissions.flatMap(({ at, endedAt: end }) => (end === undefined ? [at] : [at, end])),
    ...waits.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])),
  ]);
  return [...times.map((at) => Date.parse(at)), now];
}

/** The end of the last attempt, or its start if none has ended. */
export function lastTime(attempts: readonly Timed[]): number {
  return attempts.reduce((last, { startedAt, endedAt }) => Math.max(last, Date.parse(endedAt ?? startedAt)), 0);
}

function timeOr(at: string | undefined, otherwise: number): number {
  return at === undefined ? otherwise : Date.parse(at);
}
