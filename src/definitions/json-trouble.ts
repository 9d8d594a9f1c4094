import { parseTree, printParseErrorCode } from "jsonc-parser";
import { levelsOf, lineAt } from "./json-place.ts";

/** Why a JSON file cannot be read, for its author. */
export type JsonTrouble = {
  readonly code: "malformed-json" | "empty-file" | "cannot-be-used";
  readonly line: number;
  readonly message: string;
  readonly fix: string;
};

/** Says where a text stops being JSON, and what most likely went wrong there. */
export function troubleIn(text: string): JsonTrouble {
  if (text.trim() === "")
    return { code: "empty-file", line: 1, message: "it is empty", fix: "Write its content, or delete the file." };
  const { offset, what, fix } = firstErrorIn(text);
  const line = lineAt(text, Math.min(offset, text.trimEnd().length - 1));
  return { code: "malformed-json", line, message: `it is not valid JSON: ${what}`, fix };
}

/** Says of a file or folder that it cannot even be read. */
export function unreadable(message: string): JsonTrouble {
  return { code: "cannot-be-used", line: 1, message, fix: "Replace it with a JSON file that can be read." };
}

type Guess = { readonly offset: number; readonly what: string; readonly fix: string };

const deepestParsed = 1_000;

function firstErrorIn(text: string): Guess {
  const errors: { error: number; offset: number; length: number }[] = [];
  if (levelsOf(text) <= deepestParsed) parseTree(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first === undefined) return { offset: 0, what: "a sign in it cannot stand there", fix: "Mend the JSON." };
  return { offset: first.offset, ...guess(text, printParseErrorCode(first.error), first.offset) };
}

function guess(text: string, error: string, offset: number): Pick<Guess, "what" | "fix"> {
  const char = text.charAt(offset);
  const before = text.slice(0, offset).trimEnd().at(-1);
  if (offset >= text.trimEnd().length || error === "UnexpectedEndOfString")
    return { what: "it ends too early", fix: "Close every quote, bracket and brace." };
  if ("}]".includes(char) && before === ",")
    return { what: "a comma stands before the end", fix: "Delete the comma after the last entry." };
  if (error === "InvalidCommentToken" || char === "#")
    return { what: "it has a comment", fix: "Delete the comment: JSON has none." };
  if (char === "'") return { what: "it has single quotes", fix: "Write texts in double quotes." };
  if (error === "CommaExpected") return { what: "a comma is missing", fix: "Put a comma between the two entries." };
  return { what: `${JSON.stringify(char)} cannot stand here`, fix: "Mend the JSON on this line." };
}
