/** Formats a duration by its two largest units. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours < 24) return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
  const [days, left] = [Math.floor(hours / 24), hours % 24];
  return left === 0 || days > 9 ? `${days} d` : `${days} d ${left} h`;
}

/** Formats the time since a recorded moment. */
export function agoText(at: string, now: Date): string {
  return durationText((now.getTime() - Date.parse(at)) / 1000);
}
