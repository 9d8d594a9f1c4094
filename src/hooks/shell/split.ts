/** A word of a command; `plain`: nothing in it is filled in by the shell, so that it is what it says. */
export type Word = { readonly text: string; readonly plain: boolean };

/** One program with its words, and the files that its output goes to. */
export type SimpleCommand = { readonly words: readonly Word[]; readonly into: readonly Word[] };

/** More than this is not taken apart. */
const longest = 100_000;

/** Takes a line for a shell apart: the programs it runs, those in substitutions among them. A reading good enough to advise by, no shell. */
export function splitShell(line: string): readonly SimpleCommand[] {
  const text = withoutHereDocuments(line.slice(0, longest));
  const commands: SimpleCommand[] = [];
  let words: Word[] = [];
  let into: Word[] = [];
  let isTarget = false;
  let at = 0;
  const finish = (): void => {
    if (words.length > 0 || into.length > 0) commands.push({ words, into });
    words = [];
    into = [];
    isTarget = false;
  };
  while (at < text.length) {
    const rest = text.slice(at, at + 400);
    const redirect = /^(?:\d*|&)>(?:>|\||&(?=\d|-))?/.exec(rest)?.[0];
    if (/^\s/.test(rest) && !rest.startsWith("\n")) at++;
    else if (rest.startsWith("#") && (at === 0 || /\s/.test(text.charAt(at - 1)))) at += lineEnd(text, at);
    else if (redirect !== undefined) {
      at += redirect.length;
      if (redirect.endsWith("&")) at += /^(?:\d+|-)/.exec(text.slice(at))?.[0].length ?? 0;
      else isTarget = true;
    } else if (/^(?:\d*<<<?-?|\d*<)/.test(rest)) at += /^(?:\d*<<<?-?|\d*<)/.exec(rest)?.[0].length ?? 1;
    else if (/^[;&|\n(){}!]/.test(rest) && !/^[{}!][^\s;]/.test(rest)) {
      finish();
      at++;
    } else {
      const { word, end, inner } = readWord(text, at);
      for (const one of inner) commands.push(...splitShell(one));
      if (isTarget) into.push(word);
      else words.push(word);
      isTarget = false;
      at = Math.max(end, at + 1);
    }
  }
  finish();
  return commands;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return (end === -1 ? text.length : end) - at;
}

/** Reads one word with its quotes; `inner`: what stands in substitutions. */
function readWord(text: string, from: number): { word: Word; end: number; inner: readonly string[] } {
  let said = "";
  let plain = true;
  let at = from;
  const inner: string[] = [];
  const substitute = (open: string, close: string): void => {
    const end = closing(text, at + open.length, close);
    inner.push(text.slice(at + open.length, end));
    plain = false;
    at = end + close.length;
  };
  let quote = "";
  while (at < text.length) {
    const char = text.charAt(at);
    if (quote === "" && /[\s;&|<>()]/.test(char)) break;
    if (quote === "'" && char === "'") quote = "";
    else if (quote === "'") said += char;
    else if (char === "\\") said += text.charAt(++at);
    else if (quote === "" && (char === "'" || char === '"')) quote = char;
    else if (quote === '"' && char === '"') quote = "";
    else if (text.startsWith("$(", at)) {
      substitute("$(", ")");
      continue;
    } else if (char === "`") {
      substitute("`", "`");
      continue;
    } else {
      if (char === "$" || (quote === "" && /[*?[{~]/.test(char) && !(char === "~" && at > from))) plain = false;
      said += char;
    }
    at++;
  }
  return { word: { text: said, plain }, end: at, inner };
}

function closing(text: string, from: number, close: string): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "\\") at++;
    else if (char === close && --depth === 0) return at;
    else if (close === ")" && char === "(") depth++;
  }
  return text.length;
}

/** What is handed to a program as its input is no command. */
function withoutHereDocuments(text: string): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    kept.push(line);
    for (const [, tabs, , name = ""] of line.matchAll(/(?<!<)<<(-?)\s*(["']?)([\w.-]+)\2/g)) {
      const end = lines.findIndex((one, index) => index > at && (tabs === "-" ? one.trimStart() : one) === name);
      if (end !== -1) at = end;
    }
  }
  return kept.join("\n");
}
