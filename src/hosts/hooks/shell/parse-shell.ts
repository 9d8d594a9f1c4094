import { type Cursor, readWord, skipBlanks } from "./read-word.ts";
import type { ShellPart, ShellWord } from "./shell-command.ts";

/** Longer lines and deeper nesting are not parsed. */
const [longest, deepest] = [100_000, 50];

/** Parses a shell line into the programs it runs, including substitutions; good enough for advice, not a full shell. */
export function parseShell(line: string): readonly ShellPart[] {
  return parseList({ text: line.slice(0, longest), at: 0, depth: 0, awaited: [], nested: parseNested }, "");
}

function parseNested(cursor: Cursor): readonly ShellPart[] {
  return parseList(cursor, ")");
}

/** Parses everything up to the closing bracket or word, and consumes that. */
function parseList(cursor: Cursor, end: string): readonly ShellPart[] {
  const parts: ShellPart[] = [];
  cursor.depth++;
  if (cursor.depth > deepest) cursor.at = cursor.text.length;
  while (cursor.at < cursor.text.length) {
    skipBlanks(cursor);
    const char = cursor.text.charAt(cursor.at);
    if (char === "\n") takeHereDocuments(cursor);
    else if (/[;&|)]/.test(char)) {
      cursor.at++;
      if (char === ")" && end === ")") break; // other brackets belong to a case pattern
    } else if (end !== "" && consume(cursor, end)) break;
    else parts.push(...parsePipeline(cursor));
  }
  cursor.depth--;
  return parts;
}

/** Programs in a pipe or in the background run in their own shells. */
function parsePipeline(cursor: Cursor): readonly ShellPart[] {
  const elements = [parseCommand(cursor)];
  skipBlanks(cursor);
  while (/^\|(?!\|)/.test(cursor.text.slice(cursor.at, cursor.at + 2))) {
    cursor.at += cursor.text.charAt(cursor.at + 1) === "&" ? 2 : 1;
    skipBlanks(cursor);
    while (cursor.text.charAt(cursor.at) === "\n") {
      takeHereDocuments(cursor);
      skipBlanks(cursor);
    }
    elements.push(parseCommand(cursor));
    skipBlanks(cursor);
  }
  const isBehind = /^&(?!&)/.test(cursor.text.slice(cursor.at, cursor.at + 2));
  return elements.length > 1 || isBehind ? elements.map((scope) => ({ scope })) : elements.flat();
}

/** The closing word of each opening word. */
const closers: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["if", "fi"],
  ["while", "done"],
  ["until", "done"],
]);

function parseCommand(cursor: Cursor): readonly ShellPart[] {
  skipBlanks(cursor);
  const word = /(?:[{}!]|\w+)(?=[\s;()]|$)/y;
  word.lastIndex = cursor.at;
  const said = word.exec(cursor.text)?.[0] ?? "";
  if (cursor.text.startsWith("((", cursor.at)) return skipTo(cursor, "))");
  if (cursor.text.charAt(cursor.at) === "(") {
    cursor.at++;
    return [{ scope: parseList(cursor, ")") }, ...redirections(cursor)];
  }
  const closer = closers.get(said);
  if (closer !== undefined) {
    cursor.at += said.length;
    return [...parseList(cursor, closer), ...redirections(cursor)];
  }
  if (said === "for" || said === "select" || said === "case") {
    const [mark, end] = said === "case" ? ["in", "esac"] : ["do", "done"];
    cursor.at += said.length;
    return [...parseHead(cursor, mark), ...parseList(cursor, end), ...redirections(cursor)];
  }
  if (/^(then|do|else|elif|!|function|fi|done|esac|\})$/.test(said)) {
    cursor.at += said.length;
    return [];
  }
  return parseSimple(cursor);
}

/** Parses the words before the first list of a loop or case. */
function parseHead(cursor: Cursor, mark: string): readonly ShellPart[] {
  const parts: ShellPart[] = [];
  while (cursor.at < cursor.text.length) {
    skipBlanks(cursor);
    const char = cursor.text.charAt(cursor.at);
    if (char === "\n") takeHereDocuments(cursor);
    else if (consume(cursor, mark)) break;
    else if (/[;&|<>()]/.test(char)) cursor.at++;
    else parts.push(...readWord(cursor).parts);
  }
  return parts;
}

const redirection = /(?:\d+)?(?:&>>?|>>|>\||>&|<>|<<<|<<-?|<&|[<>](?!\())/y;

function redirections(cursor: Cursor): readonly ShellPart[] {
  skipBlanks(cursor);
  redirection.lastIndex = cursor.at;
  return redirection.test(cursor.text) ? parseSimple(cursor) : [];
}

/** Parses a program with its words, and separates redirections. */
function parseSimple(cursor: Cursor): readonly ShellPart[] {
  const [parts, words, into]: [ShellPart[], ShellWord[], ShellWord[]] = [[], [], []];
  const command: { words: ShellWord[]; into: ShellWord[]; input?: string } = { words, into };
  const read = (): ShellWord => {
    skipBlanks(cursor);
    const found = readWord(cursor);
    parts.push(...found.parts);
    return found.word;
  };
  const from = cursor.at;
  for (;;) {
    skipBlanks(cursor);
    redirection.lastIndex = cursor.at;
    const sign = redirection.exec(cursor.text)?.[0];
    const char = cursor.text.charAt(cursor.at);
    if (sign !== undefined) {
      cursor.at += sign.length;
      redirect(cursor, sign.replace(/^\d+/, ""), read, command);
    } else if (char === "" || /[;&|)\n]/.test(char)) break;
    else if (char === "(") {
      cursor.at++;
      const isFunction = words.length === 1 && consume(cursor, ")");
      if (isFunction) return [...parts, { scope: parseCommand(cursor) }];
      parts.push({ scope: parseList(cursor, ")") }); // a list of words, of which nothing runs
    } else {
      words.push(read());
      if (words.length === 1 && words[0]?.text === "[[") skipTo(cursor, "]]");
    }
  }
  if (cursor.at === from) cursor.at++;
  return [...parts, command];
}

/** Handles a redirection; only output files matter, and here-documents become input. */
function redirect(
  cursor: Cursor,
  sign: string,
  read: () => ShellWord,
  command: { readonly into: ShellWord[]; input?: string },
): void {
  const number = /[\d-]+(?=[\s;&|)]|$)/y;
  number.lastIndex = cursor.at;
  const copied = sign.endsWith("&") ? number.exec(cursor.text)?.[0] : undefined;
  if (copied !== undefined) cursor.at += copied.length;
  else if (sign === "<<<") command.input = read().text;
  else if (sign.startsWith("<<")) {
    const name = read().text;
    cursor.awaited.push({ name, isIndented: sign === "<<-", take: (body) => (command.input = body) });
  } else if (sign === "<" || sign === "<&") read();
  else command.into.push(read());
}

/** Reads past the end of a line and its here-documents. */
function takeHereDocuments(cursor: Cursor): void {
  cursor.at++;
  for (const { name, isIndented, take } of cursor.awaited.splice(0)) {
    const lines = cursor.text.slice(cursor.at).split("\n");
    const end = lines.findIndex((line) => (isIndented ? line.trimStart() : line) === name);
    if (end === -1) continue;
    const body = lines.slice(0, end).join("\n");
    take(body);
    cursor.at += end === 0 ? name.length : body.length + 1 + (lines[end] ?? "").length;
  }
}

/** Consumes a word or a bracket if it is next. */
function consume(cursor: Cursor, word: string): boolean {
  skipBlanks(cursor);
  const after = cursor.text.charAt(cursor.at + word.length);
  if (!cursor.text.startsWith(word, cursor.at) || !(word === ")" || /^[\s;&|()<>]?$/.test(after))) return false;
  cursor.at += word.length;
  return true;
}

function skipTo(cursor: Cursor, close: string): readonly ShellPart[] {
  const end = cursor.text.indexOf(close, cursor.at);
  cursor.at = end === -1 ? cursor.text.length : end + close.length;
  return [];
}
