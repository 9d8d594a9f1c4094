import { stripVTControlCharacters } from "node:util";

/** The last lines of a command's output for a reply: at most 1,500 characters, without ANSI codes. */
export function lastLines(tail: string): string {
  const text = stripVTControlCharacters(tail)
    .replace(/\r\n?/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffd]/g, "")
    .trimEnd();
  if (text.length <= mostCharacters) return text;
  const end = text.slice(-mostCharacters).replace(/^[\udc00-\udfff]/, "");
  const line = end.indexOf("\n");
  return line === -1 || line > mostCharacters / 2 ? end : end.slice(line + 1);
}

const mostCharacters = 1500;
