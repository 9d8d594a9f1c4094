/** A text in one line, with single spaces between its words. */
export function oneLine(text: string): string {
  return text.split(/\s+/).join(" ").trim();
}
