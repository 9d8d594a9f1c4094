/** Finds the first thing in a text that its author meant to replace: TODO, TBD, <fill in>, lorem ipsum. */
export function findLeftOver(text: string): { readonly found: string; readonly at: number } | undefined {
  const plain = withoutQuotations(text);
  const found = leftOvers.map((pattern) => pattern.exec(plain)).filter((match) => match !== null);
  const [first] = found.sort((a, b) => a.index - b.index);
  return first === undefined ? undefined : { found: first[0].trim(), at: first.index + first[0].search(/\S/) };
}

/** A text may speak of a TODO ("leave no TODO"): only one that stands for something missing is meant here. */
const leftOvers = [
  /(?<=^[\s>#*\-+\d.)(]*)\b(?:TODO|TBD|FIXME|XXX)\b/m,
  /\b(?:TODO|FIXME|TBD):/,
  /(?<=:\s*)\b(?:TODO|TBD)\b[.!]?(?=\s*$)/m,
  /<\s*(?:fill[ _-]?in|todo|tbd|insert|placeholder|replace|your)\b[^<>\n]{0,80}>/i,
  /\[\s*(?:fill[ _-]?in|todo|tbd|insert|placeholder|replace|your)\b[^[\]\n]{0,80}\](?!\()/i,
  /\blorem ipsum\b/i,
];

/** Blanks out what is quoted or code, and keeps every other character at its place. */
function withoutQuotations(text: string): string {
  const blank = (quoted: string): string => quoted.replaceAll(/[^\n]/g, " ");
  return text
    .replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1/gm, blank)
    .replaceAll(/`[^`\n]{0,200}`|"[^"\n]{0,200}"|“[^”\n]{0,200}”/g, blank);
}
