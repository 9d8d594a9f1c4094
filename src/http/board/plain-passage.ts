/** A passage of Markdown as people read it in a list: its words without the marks of headings, tables and emphasis; code stays as it is. */
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
  if (/^\s*\|?[\s:|-]*-{3,}[\s:|-]*$/.test(line)) return []; // below the head of a table, or a rule
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

/** The text of links, of strong words and of code in a line. */
function words(line: string): string {
  return line
    .replaceAll(/\[([^\]]*)\]\([^)\s]*\)/g, "$1")
    .replaceAll(/(\*\*|__)(?=\S)([^*_]+)\1/g, "$2")
    .replaceAll(/`([^`]+)`/g, "$1");
}
