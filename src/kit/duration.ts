/** Parses a duration (`20s`, `5m`, `7d`) into seconds; undefined if it is not one. */
export function secondsIn(text: unknown): number | undefined {
  const [, count, unit] = typeof text === "string" ? (/^(\d{1,6})([smhd])$/.exec(text) ?? []) : [];
  return unit === undefined ? undefined : Number(count) * units[unit as keyof typeof units];
}

/** Formats seconds in the largest unit that divides them. */
export function durationOf(seconds: number): string {
  const [unit = "s", size] = Object.entries(units).findLast(([, one]) => seconds % one === 0) ?? ["s", 1];
  return `${seconds / size}${unit}`;
}

const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
