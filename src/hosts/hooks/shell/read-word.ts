import type { ShellPart, ShellWord } from "./shell-command.ts";

/** The reading position in a shell line. */
export type Cursor = {
  readonly text: string;
  at: number;
  depth: number;
  /** Here-documents that the next lines contain. */
  readonly awaited: { readonly name: string; readonly isIndented: boolean; take(body: string): void }[];
  /** Parses a substitution up to its bracket. */
  readonly nested: (cursor: Cursor) => readonly ShellPart[];
};

/** A word, and the programs the shell runs to substitute it. */
type ReadWord = { readonly word: ShellWord; readonly parts: readonly ShellPart[] };

/** Reads one word with its quotes. */
export function readWord(cursor: Cursor): ReadWord {
  const parts: ShellPart[] = [];
  const from = cursor.at;
  let [said, plain] = ["", true];
  const fill = (open: string): void => {
    cursor.at += open.length;
    parts.push({ scope: cursor.nested(cursor) });
    plain = false;
  };
  let isQuoted = false;
  while (cursor.at < cursor.text.length) {
    const char = cursor.text.charAt(cursor.at);
    const two = cursor.text.slice(cursor.at, cursor.at + 2);
    if (!isQuoted && (two === "<(" || two === ">(") && cursor.at === from) fill(two);
    else if (!isQuoted && /[\s;&|<>()]/.test(char)) break;
    else if (char === '"') {
      isQuoted = !isQuoted;
      cursor.at++;
    } else if (char === "\\") {
      const next = cursor.text.charAt(cursor.at + 1);
      if (next !== "\n") said += isQuoted && !/["\\$`]/.test(next) ? char + next : next;
      cursor.at += 2;
    } else if (!isQuoted && char === "'") said += quotedUpTo(cursor, "'", false);
    else if (!isQuoted && two === "$'") said += quotedUpTo(cursor, "$'", true);
    else if (cursor.text.startsWith("$((", cursor.at) && skipArithmetic(cursor)) plain = false;
    else if (two === "$(") fill(two);
    else if (two === "${") {
      plain = false;
      said += skipBraces(cursor);
    } else if (char === "`") {
      const end = cursor.text.indexOf("`", cursor.at + 1);
      const inner = cursor.text.slice(cursor.at + 1, end === -1 ? undefined : end);
      parts.push({ scope: cursor.nested({ ...cursor, text: inner, at: 0, awaited: [] }) });
      plain = false;
      cursor.at = end === -1 ? cursor.text.length : end + 1;
    } else {
      const isHome = char === "~" && !(cursor.at === from && /[\w]/.test(two.charAt(1)));
      if (char === "$" || (!isQuoted && /[*?[{~]/.test(char) && two !== "{}" && !isHome)) plain = false;
      said += char;
      cursor.at++;
    }
  }
  return { word: { text: said, plain }, parts };
}

/** Skips blanks, comments and escaped line ends. */
export function skipBlanks(cursor: Cursor): void {
  const blank = /(?:[^\S\n]|\\\r?\n)+/y;
  blank.lastIndex = cursor.at;
  cursor.at += blank.exec(cursor.text)?.[0].length ?? 0;
  const before = cursor.text.charAt(cursor.at - 1);
  if (cursor.text.charAt(cursor.at) !== "#" || !/^[\s;&|(]?$/.test(before)) return;
  const end = cursor.text.indexOf("\n", cursor.at);
  cursor.at = end === -1 ? cursor.text.length : end;
}

/** Reads a quoted text without substitutions; with `isEscaped`, backslashes are escapes. */
function quotedUpTo(cursor: Cursor, open: string, isEscaped: boolean): string {
  let said = "";
  for (cursor.at += open.length; cursor.at < cursor.text.length; cursor.at++) {
    const char = cursor.text.charAt(cursor.at);
    if (char === "'") break;
    said += isEscaped && char === "\\" ? cursor.text.charAt(++cursor.at) : char;
  }
  cursor.at++;
  return said;
}

function skipArithmetic(cursor: Cursor): boolean {
  let depth = 0;
  for (let at = cursor.at + 1; at < cursor.text.length; at++) {
    const char = cursor.text.charAt(at);
    if (char === "(") depth++;
    if (char === ")" && --depth === 0) {
      if (cursor.text.charAt(at - 1) !== ")") return false; // a substitution that starts with a bracket
      cursor.at = at + 1;
      return true;
    }
  }
  return false;
}

/** Skips `${…}` and returns its text, so that names inside it are still recognized. */
function skipBraces(cursor: Cursor): string {
  const from = cursor.at;
  let quote = "";
  for (cursor.at += 2; cursor.at < cursor.text.length; cursor.at++) {
    const char = cursor.text.charAt(cursor.at);
    if (char === "\\") cursor.at++;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "}") break;
  }
  cursor.at++;
  return cursor.text.slice(from, cursor.at);
}
