/** A line without the marks that only dress it up: links become their words, emphasis and code lose their signs. */
export function plain(line: string): string {
  return line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`]+/g, "")
    .trim();
}
