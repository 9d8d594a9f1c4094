/** A time as every view writes it: day, time, and seconds where they matter. */
export function dateText(at: string | number): string {
  return `${dayText(at)}, ${timeText(at, true)}`;
}

/** The day of a time, with its year if that is not this one. */
export function dayText(at: string | number): string {
  const date = new Date(at);
  const year = date.getFullYear() === new Date().getFullYear() ? {} : ({ year: "numeric" } as const);
  return date.toLocaleDateString("en", { month: "short", day: "numeric", ...year });
}

/** The time of day, with seconds if it is exact. */
export function timeText(at: string | number, isExact = false): string {
  const seconds = isExact ? ({ second: "2-digit" } as const) : {};
  return new Date(at).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", ...seconds, hour12: false });
}
