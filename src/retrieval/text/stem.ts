/** Reduces a lower-case English word to its stem by the Porter2 rules, so that "validating" finds "validation". */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z']+$/.test(word)) return word;
  const special = exceptions.get(word);
  if (special !== undefined) return special;
  const marked = word.replace(/^y|([aeiouy])y/g, (found) => `${found.slice(0, -1)}Y`);
  const r1 = firstRegion(marked);
  const r2 = r1 + regionAfter(marked.slice(r1));
  const plain = plural(marked.replace(/'s?'?$/, ""));
  if (unchangedAfterPlural.has(plain)) return plain;
  return ending(residue(derived(longSuffix(participle(plain, r1), r1), r1, r2), r2), r1, r2).toLowerCase();
}

const vowel = "[aeiouy]";
const exceptions = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ["indices", "index"],
  ["matrices", "matrix"],
  ["vertices", "vertex"],
  ["children", "child"],
  ["people", "person"],
  ["criteria", "criterion"],
  ["analyses", "analysi"],
  ["hypotheses", "hypothesi"],
  ["theses", "thesi"],
  ["parentheses", "parenthesi"],
  ["crises", "crisi"],
  ["halves", "half"],
  ["leaves", "leaf"],
  ["lives", "life"],
  ["aliases", "alias"],
  ["biases", "bias"],
  ["buses", "bus"],
  ["canvases", "canvas"],
  ["gases", "gas"],
  ["lenses", "lens"],
  ...["sky", "news", "howe", "atlas", "cosmos", "bias", "andes", "alias", "bus", "canvas", "gas", "lens"].map(
    (word): [string, string] => [word, word],
  ),
]);
const unchangedAfterPlural = new Set("inning outing canning herring earring proceed exceed succeed".split(" "));

function regionAfter(text: string): number {
  const [found] = /^.*?[aeiouy][^aeiouy]/.exec(text) ?? [];
  return found?.length ?? text.length;
}

function firstRegion(word: string): number {
  const [prefix] = /^(?:gener|commun|arsen)/.exec(word) ?? [];
  return prefix?.length ?? regionAfter(word);
}

function plural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/[us]s$/.test(word)) return word;
  return /[aeiouy].+s$/.test(word) ? word.slice(0, -1) : word;
}

function participle(word: string, r1: number): string {
  const agreed = /eed(?:ly)?$/.exec(word);
  if (agreed) return agreed.index >= r1 ? word.slice(0, agreed.index + 2) : word;
  const found = /(?:ed|ing)(?:ly)?$/.exec(word);
  if (!found || !/[aeiouy]/.test(word.slice(0, found.index))) return finalY(word);
  const base = word.slice(0, found.index);
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(base)) return base.slice(0, -1);
  return finalY(isShort(base, r1) ? `${base}e` : base);
}

function finalY(word: string): string {
  return /.[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word;
}

const shortEnd = new RegExp(`(?:^${vowel}[^aeiouy]|[^aeiouy]${vowel}[^aeiouywxY])$`);

function isShort(word: string, r1: number): boolean {
  return r1 >= word.length && shortEnd.test(word);
}

const longSuffixes: readonly (readonly [string, string])[] = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["bli", "ble"],
];

function longSuffix(word: string, r1: number): string {
  for (const [suffix, instead] of longSuffixes) if (word.endsWith(suffix)) return replaceIn(r1, word, suffix, instead);
  if (word.endsWith("logi")) return replaceIn(r1, word, "ogi", "og");
  return /[cdeghkmnrt]li$/.test(word) ? replaceIn(r1, word, "li", "") : word;
}

function derived(word: string, r1: number, r2: number): string {
  for (const [suffix, instead] of [
    ["ational", "ate"],
    ["tional", "tion"],
    ["alize", "al"],
    ["icate", "ic"],
    ["iciti", "ic"],
    ["ical", "ic"],
    ["ness", ""],
    ["ful", ""],
  ] as const)
    if (word.endsWith(suffix)) return replaceIn(r1, word, suffix, instead);
  return word.endsWith("ative") ? replaceIn(r2, word, "ative", "") : word;
}

const residues = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|(?<=[st])ion)$/;

function residue(word: string, r2: number): string {
  const found = residues.exec(word);
  return found && found.index >= r2 ? word.slice(0, found.index) : word;
}

function ending(word: string, r1: number, r2: number): string {
  const cut = word.slice(0, -1);
  if (word.endsWith("e") && (cut.length >= r2 || (cut.length >= r1 && !shortEnd.test(cut)))) return cut;
  return word.endsWith("ll") && cut.length >= r2 ? cut : word;
}

function replaceIn(region: number, word: string, suffix: string, instead: string): string {
  const start = word.length - suffix.length;
  return start >= region ? word.slice(0, start) + instead : word;
}
