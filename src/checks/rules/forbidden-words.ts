import { collectFindings, type Finding } from "./finding.ts";
import { lineIndexAt, lineStarts } from "./lines.ts";

/** Finds forbidden words and phrases: whole, in any case, phrases also across a line break. */
export function findWords(text: string, words: readonly string[]): Finding[] {
  const lower = text.normalize("NFC").toLowerCase();
  const starts = lineStarts(lower);
  const found: { readonly line: number; readonly word: string }[] = [];
  for (const word of words) {
    const parts = word.trim().normalize("NFC").toLowerCase().split(/\s+/);
    let last = -1;
    for (const at of occurrences(lower, parts)) {
      const line = lineIndexAt(starts, at) + 1;
      if (line !== last) found.push({ line, word });
      last = line;
    }
  }
  const findings = collectFindings();
  for (const { line, word } of found.sort((a, b) => a.line - b.line)) {
    findings.add({ line, detail: `"${word.trim()}" is forbidden here` });
  }
  return findings.all();
}

function* occurrences(text: string, parts: readonly string[]): Generator<number> {
  const [first = "", ...rest] = parts;
  if (first === "") return;
  const opening = edge(parts[0] ?? "", "first");
  const closing = edge(parts.at(-1) ?? "", "last");
  for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + 1)) {
    const end = endOfPhrase(text, at + first.length, rest);
    if (end === -1) continue;
    const isWhole =
      !(opening && isWordPart(charBefore(text, at))) &&
      !(closing && isWordPart(String.fromCodePoint(text.codePointAt(end) ?? 32)));
    if (isWhole) yield at;
  }
}

function endOfPhrase(text: string, from: number, rest: readonly string[]): number {
  let at = from;
  for (const part of rest) {
    const gap = /^\s{1,200}/.exec(text.slice(at, at + 200))?.[0].length ?? 0;
    if (gap === 0 || !text.startsWith(part, at + gap)) return -1;
    at += gap + part.length;
  }
  return at;
}

/** Tells if the neighbouring character must end the word: not if the edge is a symbol, or the script has no spaces. */
function edge(part: string, side: "first" | "last"): boolean {
  const char = [...part].at(side === "first" ? 0 : -1) ?? "";
  return isWordPart(char) && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(char);
}

function isWordPart(char: string): boolean {
  return /[\p{L}\p{N}\p{M}_]/u.test(char);
}

function charBefore(text: string, at: number): string {
  const low = text.charAt(at - 1);
  return /[\udc00-\udfff]/.test(low) ? text.slice(at - 2, at) : low;
}
