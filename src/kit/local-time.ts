/** Formats a time in the time zone of this machine, to the minute or the second: `2026-11-19 04:35`. */
export function localTime(at: string, to: "minute" | "second" = "minute"): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  const two = (part: number): string => String(part).padStart(2, "0");
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const minute = `${date} ${two(time.getHours())}:${two(time.getMinutes())}`;
  return to === "minute" ? minute : `${minute}:${two(time.getSeconds())}`;
}
