/** A placeholder that its author meant to replace. */
export type PlaceholderText = { readonly found: string; readonly at: number };

/** Finds the first TODO, TBD, <fill in> or lorem ipsum of each line. */
export function findPlaceholderText(text: string): PlaceholderText[] {
  let start = 0;
  return withoutQuotations(text)
    .split("\n")
    .flatMap((line) => {
      const match = placeholderPatterns.map((pattern) => pattern.exec(line)).find((found) => found !== null);
      const at = start;
      start += line.length + 1;
      return match === undefined || match?.[1] === undefined ? [] : [{ found: match[1], at: at + match.index }];
    });
}

/** A text may mention a TODO ("leave no TODO"); these match only one in place of missing text. */
const placeholderPatterns = [
  /^[\s>#*\-+\d.)(]{0,40}\b(TODO|TBD|FIXME|XXX)\b/,
  /\b((?:TODO|FIXME|TBD):)/,
  /:\s{0,9}(TODO|TBD)[.!]?\s{0,9}$/,
  /(<\s?(?:fill[ _-]?in|todo|tbd|insert|placeholder|replace|your)\b[^<>]{0,80}>)/i,
  /(\[\s?(?:fill[ _-]?in|todo|tbd|insert|placeholder|replace|your)\b[^[\]]{0,80}\])(?!\()/i,
  /\b(lorem ipsum)\b/i,
];

/** Blanks out quotations and code, so that offsets stay the same. */
function withoutQuotations(text: string): string {
  const blank = (quoted: string): string => quoted.replaceAll(/[^\n]/g, " ");
  return text
    .replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1/gm, blank)
    .replaceAll(/`[^`\n]{0,200}`|"[^"\n]{0,200}"|“[^”\n]{0,200}”/g, blank);
}
