/** Everything under `npm run test:all`, a sample of it under `npm test`: for what is long because there is much of it. */
export function wholeOr<T>(whole: T, sample: T): T {
  return process.env.WAYMARK_TESTS === "all" ? whole : sample;
}
