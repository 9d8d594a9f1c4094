/** Removes formatting from a line: links become their text, emphasis and code lose their marks. */
export function plain(line: string): string {
  return line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`]+/g, "")
    .trim();
}
