/** Strips the Markdown of a passage for a list; code stays as it is. */
export function plainPassage(markdown: string): string {
  let isCode = false;
  const lines = markdown.split("\n").flatMap((line) => {
    if (/^\s*(```|~~~)/.test(line)) {
      isCode = !isCode;
      return [];
    }
    return isCode ? [line] : plainLine(line);
  });
  return lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function plainLine(line: string): string[] {
  if (/^\s*\|?[\s:|-]*-{3,}[\s:|-]*$/.test(line)) return []; // a table separator or a horizontal rule
  if (/^\s*\|.*\|\s*$/.test(line)) return [words(cellsOf(line).join(" · "))];
  return [words(line.replace(/^\s{0,3}#{1,6}\s+/, "").replace(/\s+#+\s*$/, ""))];
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"))
    .filter((cell) => cell !== "");
}

/** Strips links, emphasis and code marks from a line. */
function words(line: string): string {
  return line
    .replaceAll(/\[([^\]]*)\]\([^)\s]*\)/g, "$1")
    .replaceAll(/(\*\*|__)(?=\S)([^*_]+)\1/g, "$2")
    .replaceAll(/`([^`]+)`/g, "$1");
}
