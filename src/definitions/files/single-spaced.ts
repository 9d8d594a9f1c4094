/** Joins a text into one line with single spaces. */
export function oneLine(text: string): string {
  return text.split(/\s+/).join(" ").trim();
}
