/** Everything under `npm run test:all`, a sample of it under `npm test`: for what is long because there is much of it. */
export function wholeOr<T>(whole: T, sample: T): T {
  return process.env.WAYMARK_TESTS === "all" ? whole : sample;
}

/** All cases under `npm run test:all`, one of so many under `npm test`: for long lists of the same attack. */
export function oneOf<T>(every: number, cases: readonly T[]): readonly T[] {
  return wholeOr(
    cases,
    cases.filter((_, at) => at % every === 0),
  );
}
