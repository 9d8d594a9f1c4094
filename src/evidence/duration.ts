/** Reads a duration as it is written in a definition (`20s`, `5m`, `7d`), in seconds; undefined where it is none. */
export function secondsIn(text: unknown): number | undefined {
  const [, count, unit] = typeof text === "string" ? (/^(\d{1,6})([smhd])$/.exec(text) ?? []) : [];
  return unit === undefined ? undefined : Number(count) * units[unit as keyof typeof units];
}

/** Writes seconds as a definition would, in the largest unit that holds them whole. */
export function durationOf(seconds: number): string {
  const [unit = "s", size] = Object.entries(units).findLast(([, one]) => seconds % one === 0) ?? ["s", 1];
  return `${seconds / size}${unit}`;
}

const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
