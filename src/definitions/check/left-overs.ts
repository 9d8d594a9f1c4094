/** Something in a text that its author meant to replace. */
export type LeftOver = { readonly found: string; readonly at: number };

/** Finds what an author meant to replace: TODO, TBD, <fill in>, lorem ipsum; the first of each line. */
export function findLeftOvers(text: string): LeftOver[] {
  let start = 0;
  return withoutQuotations(text)
    .split("\n")
    .flatMap((line) => {
      const match = leftOvers.map((pattern) => pattern.exec(line)).find((found) => found !== null);
      const at = start;
      start += line.length + 1;
      return match === undefined || match?.[1] === undefined ? [] : [{ found: match[1], at: at + match.index }];
    });
}

/** A text may speak of a TODO ("leave no TODO"): only one that stands for something missing is meant here. */
const leftOvers = [
  /^[\s>#*\-+\d.)(]{0,40}\b(TODO|TBD|FIXME|XXX)\b/,
  /\b((?:TODO|FIXME|TBD):)/,
  /:\s{0,9}(TODO|TBD)[.!]?\s{0,9}$/,
  /(<\s?(?:fill[ _-]?in|todo|tbd|insert|placeholder|replace|your)\b[^<>]{0,80}>)/i,
  /(\[\s?(?:fill[ _-]?in|todo|tbd|insert|placeholder|replace|your)\b[^[\]]{0,80}\])(?!\()/i,
  /\b(lorem ipsum)\b/i,
];

/** Blanks out what is quoted or code, and keeps every other character at its place. */
function withoutQuotations(text: string): string {
  const blank = (quoted: string): string => quoted.replaceAll(/[^\n]/g, " ");
  return text
    .replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1/gm, blank)
    .replaceAll(/`[^`\n]{0,200}`|"[^"\n]{0,200}"|“[^”\n]{0,200}”/g, blank);
}
