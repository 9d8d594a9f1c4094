import type { EvidenceType } from "../../workflow/gate.ts";
import type { Json } from "../../workflow/json.ts";
import { numberIn, numbersIn } from "./validator-numbers.ts";
import { type Operation, operationNamed, spellings } from "./validator-operations.ts";
import type { ValidatorRead } from "./validator-read.ts";

/** Understands a name of the vocabulary (`greater_than_0`, `min_length(2)`, `equals: high`); undefined where it is none. */
export function rulesFromName(written: string, type: EvidenceType): ValidatorRead | undefined {
  const name = asName(written);
  const plain = operationNamed(name);
  if (plain?.takes === "nothing") return plain.make([], type);
  const called = /^([\p{L}_ -]+?)\s*(?:\((.*)\)|[:=]\s*(.+))$/su.exec(written.trim());
  if (called !== null) {
    const operation = operationNamed(asName(called[1] ?? ""));
    const args = (called[2] ?? called[3] ?? "").trim();
    return operation === undefined ? undefined : withArgs(operation, argsIn(args, operation), written, type);
  }
  const flat = written
    .trim()
    .toLowerCase()
    .replace(/\s+|(?<=\p{L})-(?=[\p{L}\p{N}])/gu, "_");
  const spelling = spellings().find((one) => flat.startsWith(`${one}_`));
  const operation = spelling === undefined ? undefined : operationNamed(spelling);
  if (spelling === undefined || operation === undefined) return undefined;
  const rest = afterWords(written.trim(), spelling.split("_").length);
  if (/^["'`/[(]/.test(rest)) return withArgs(operation, argsIn(rest, operation), written, type);
  const counted = /^(.+?)[_ ](?:items?|entries|elements|characters|chars|keys)$/i.exec(rest)?.[1];
  if (counted !== undefined && operation.takes === "number")
    return rulesFromName(`length_${spelling}_${counted}`, type);
  return withArgs(operation, argsInName(rest, operation), written, type);
}

function withArgs(
  operation: Operation,
  args: readonly Json[] | undefined,
  written: string,
  type: EvidenceType,
): ValidatorRead {
  return args === undefined ? { unusable: `what ${written} asks for is not clear` } : operation.make(args, type);
}

/** What follows so many words, as it was written. */
function afterWords(text: string, count: number): string {
  let rest = text;
  for (let word = 0; word < count; word++) rest = rest.replace(/^[^_\s-]+[_\s-]?\s*/u, "");
  return rest;
}

/** A name in the one spelling of the vocabulary: small letters, parted by _. */
export function asName(written: string): string {
  return written
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .replace(/\s+|-(?=\p{L})/gu, "_");
}

/** What follows a word in one name: greater_than_or_equal_4, one_of_a_b, between_1_and_5. */
function argsInName(rest: string, { takes }: Operation): readonly Json[] | undefined {
  switch (takes) {
    case "number": {
      const number = numberIn(rest);
      return number === undefined ? undefined : [number];
    }
    case "numbers":
      return numbersIn(rest.toLowerCase());
    case "values":
      return rest.split(/_or_/).length > 1 ? rest.split(/_or_/) : rest.split("_");
    case "pattern":
      // matches_a_url names no pattern.
      return /[\^$[\]()*+?\\.|{}]/.test(rest) ? [rest] : undefined;
    default:
      return rest === "" ? undefined : [rest];
  }
}

/** What stands in brackets or after a colon. */
function argsIn(text: string, { takes }: Operation): readonly Json[] | undefined {
  if (takes === "pattern" || takes === "text") return [unquoted(text)];
  const bare = /^\[(.*)\]$/s.exec(text)?.[1] ?? text;
  const parts = bare.split(/[,|]/).map((part) => unquoted(part.trim()));
  if (parts.includes("")) return takes === "nothing" && text === "" ? [] : undefined;
  if (takes === "values" || takes === "value") return takes === "value" && parts.length > 1 ? undefined : parts;
  const numbers =
    takes === "numbers" && parts.length === 1
      ? numbersIn(text.replace(/\s*(?:-|to|and|\.\.)\s*/, "_to_"))
      : parts.map(numberIn);
  return numbers?.every((number) => number !== undefined) ? numbers : undefined;
}

function unquoted(text: string): string {
  return /^(["'`/])(.*)\1$/s.exec(text)?.[2] ?? text;
}
