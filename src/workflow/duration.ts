/** Whole seconds between two times; 0 where one of them is no time, as a person's file may have it. */
export function secondsBetween(from: string, to: string): number {
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}
