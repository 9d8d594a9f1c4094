import { type Cursor, readWord, skipBlanks } from "./read-word.ts";

/** A word of a command; `plain`: nothing in it is filled in by the shell, so that it is what it says. */
export type Word = { readonly text: string; readonly plain: boolean };

/** One program with its words, the files that its output goes to, and what it is handed as its input, where the line says so. */
export type SimpleCommand = {
  readonly words: readonly Word[];
  readonly into: readonly Word[];
  readonly input?: string;
};

/** What a line for a shell consists of; in a scope the shell may go elsewhere, and is where it was afterwards. */
export type Part = SimpleCommand | { readonly scope: readonly Part[] };

/** More than this is not taken apart, and nothing that is nested deeper. */
const [longest, deepest] = [100_000, 50];

/** Takes a line for a shell apart: the programs it runs, those in substitutions among them. A reading good enough to advise by, no shell. */
export function parseShell(line: string): readonly Part[] {
  return parseList({ text: line.slice(0, longest), at: 0, depth: 0, awaited: [], nested: parseNested }, "");
}

function parseNested(cursor: Cursor): readonly Part[] {
  return parseList(cursor, ")");
}

/** Everything up to what closes it: a bracket or a word, which is read too. */
function parseList(cursor: Cursor, end: string): readonly Part[] {
  const parts: Part[] = [];
  cursor.depth++;
  if (cursor.depth > deepest) cursor.at = cursor.text.length;
  while (cursor.at < cursor.text.length) {
    skipBlanks(cursor);
    const char = cursor.text.charAt(cursor.at);
    if (char === "\n") takeHereDocuments(cursor);
    else if (/[;&|)]/.test(char)) {
      cursor.at++;
      if (char === ")" && end === ")") break; // any other belongs to the pattern of a case
    } else if (end !== "" && taken(cursor, end)) break;
    else parts.push(...parsePipeline(cursor));
  }
  cursor.depth--;
  return parts;
}

/** Programs of a pipe and those in the background run in shells of their own. */
function parsePipeline(cursor: Cursor): readonly Part[] {
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

/** What opens something that has an end of its own, by its end. */
const closers: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["if", "fi"],
  ["while", "done"],
  ["until", "done"],
]);

function parseCommand(cursor: Cursor): readonly Part[] {
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

/** The words before a loop's or a case's first list. */
function parseHead(cursor: Cursor, mark: string): readonly Part[] {
  const parts: Part[] = [];
  while (cursor.at < cursor.text.length) {
    skipBlanks(cursor);
    const char = cursor.text.charAt(cursor.at);
    if (char === "\n") takeHereDocuments(cursor);
    else if (taken(cursor, mark)) break;
    else if (/[;&|<>()]/.test(char)) cursor.at++;
    else parts.push(...readWord(cursor).parts);
  }
  return parts;
}

const redirection = /(?:\d+)?(?:&>>?|>>|>\||>&|<>|<<<|<<-?|<&|[<>](?!\())/y;

function redirections(cursor: Cursor): readonly Part[] {
  skipBlanks(cursor);
  redirection.lastIndex = cursor.at;
  return redirection.test(cursor.text) ? parseSimple(cursor) : [];
}

/** A program with its words; what is redirected is told from what it is called with. */
function parseSimple(cursor: Cursor): readonly Part[] {
  const [parts, words, into]: [Part[], Word[], Word[]] = [[], [], []];
  const command: { words: Word[]; into: Word[]; input?: string } = { words, into };
  const read = (): Word => {
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
      const isFunction = words.length === 1 && taken(cursor, ")");
      if (isFunction) return [...parts, { scope: parseCommand(cursor) }];
      parts.push({ scope: parseList(cursor, ")") }); // a list of words: nothing in it is run, and little looks as if
    } else {
      words.push(read());
      if (words.length === 1 && words[0]?.text === "[[") skipTo(cursor, "]]");
    }
  }
  if (cursor.at === from) cursor.at++;
  return [...parts, command];
}

/** Of what is redirected only what is written to is a file of interest; a mark of a here-document is none. */
function redirect(
  cursor: Cursor,
  sign: string,
  read: () => Word,
  command: { readonly into: Word[]; input?: string },
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

/** Reads past the end of a line, and what it announced to stand below it. */
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

/** Reads a word or a bracket, where it stands here. */
function taken(cursor: Cursor, word: string): boolean {
  skipBlanks(cursor);
  const after = cursor.text.charAt(cursor.at + word.length);
  if (!cursor.text.startsWith(word, cursor.at) || !(word === ")" || /^[\s;&|()<>]?$/.test(after))) return false;
  cursor.at += word.length;
  return true;
}

function skipTo(cursor: Cursor, close: string): readonly Part[] {
  const end = cursor.text.indexOf(close, cursor.at);
  cursor.at = end === -1 ? cursor.text.length : end + close.length;
  return [];
}
