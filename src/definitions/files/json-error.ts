import { parseTree, printParseErrorCode } from "jsonc-parser";
import { lineAt, nestingDepth } from "./json-locations.ts";

/** The reason a JSON file cannot be read, in words for its author. */
export type JsonReadError = {
  readonly code: "malformed-json" | "empty-file" | "cannot-be-used";
  readonly line: number;
  readonly message: string;
  readonly fix: string;
};

/** Finds where a text stops being valid JSON, and guesses why. */
export function findJsonError(text: string): JsonReadError {
  if (text.trim() === "")
    return { code: "empty-file", line: 1, message: "it is empty", fix: "Add content, or delete the file." };
  const { offset, what, fix } = firstErrorIn(text);
  const line = lineAt(text, Math.min(offset, text.trimEnd().length - 1));
  return { code: "malformed-json", line, message: `it is not valid JSON: ${what}`, fix };
}

/** Describes a file or folder that cannot be read at all. */
export function unreadableJson(message: string): JsonReadError {
  return { code: "cannot-be-used", line: 1, message, fix: "Replace it with a readable JSON file." };
}

type Guess = { readonly offset: number; readonly what: string; readonly fix: string };

const deepestParsed = 1_000;

function firstErrorIn(text: string): Guess {
  const errors: { error: number; offset: number; length: number }[] = [];
  if (nestingDepth(text) <= deepestParsed) parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first === undefined) return { offset: 0, what: "it has an unexpected character", fix: "Fix the JSON." };
  return { offset: first.offset, ...guess(text, printParseErrorCode(first.error), first.offset) };
}

function guess(text: string, error: string, offset: number): Pick<Guess, "what" | "fix"> {
  const char = text.charAt(offset);
  const before = text.slice(0, offset).trimEnd().at(-1);
  if (offset >= text.trimEnd().length || error === "UnexpectedEndOfString")
    return { what: "it ends unexpectedly", fix: "Close every quote, bracket and brace." };
  if ("}]".includes(char) && before === ",")
    return { what: "it has a trailing comma", fix: "Delete the comma after the last entry." };
  if (error === "InvalidCommentToken" || char === "#")
    return { what: "it has a comment", fix: "Delete the comment; JSON does not allow any." };
  if (char === "'") return { what: "it has single quotes", fix: "Use double quotes." };
  if (error === "CommaExpected") return { what: "a comma is missing", fix: "Add a comma between the two entries." };
  return { what: `${JSON.stringify(char)} is not expected here`, fix: "Fix the JSON on this line." };
}
