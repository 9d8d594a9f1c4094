import type { Comparison, EvidenceRule, EvidenceType } from "../../../workflow/gate.ts";
import { comparedFields } from "../words/compared-fields.ts";
import { mustClauses } from "../words/lost-rules.ts";
import { namedRules } from "../words/named-rules.ts";
import { isOnlyWished } from "../words/option-words.ts";
import { type RuleRead, readRules } from "../words/rule-words.ts";
import { choicesIn } from "../words/values.ts";
import { isChoiceType } from "./table-types.ts";

/** What stands in the columns of one row that speak of the value, each in words; "" where a cell is empty. */
export type RowWords = {
  readonly field: string;
  readonly typed: string;
  /** What stands beside the name in its own cell. */
  readonly beside: string;
  readonly description: string;
  readonly rules: readonly RuleCell[];
};

/** A cell that holds a rule, and what its header says of it. */
export type RuleCell = { readonly words: string; readonly header: string; readonly bound?: "least" | "most" };

/** What a row demands of its value. */
export type RowRules = Pick<RuleRead, "rules" | "required" | "mayBeEmpty"> & {
  readonly unclear: readonly string[];
  readonly comparisons: readonly Omit<Comparison, "left">[];
};

/** Reads the rules of a row: its rule cells are the rule; without any, the words of type and description are. */
export function rowRules({ field, typed, beside, description, rules }: RowWords, type: EvidenceType): RowRules {
  const isChoice = isChoiceType(typed);
  // "enum" alone says that there are values, and not which.
  const around = isChoice && !/[,(:[|]/.test(typed) ? beside : `${typed} ; ${beside}`;
  const told = rules.length === 0 ? description : mustClauses(description).join(" ; ");
  const compared = comparedFields(told, 1);
  const words = readRules(`${around} ; ${compared.rest}`, type, field);
  const listed = isChoice ? chosenFrom(rules, description, type, field) : undefined;
  const cells = listed === undefined ? rules.map((cell) => cellRules(cell, type, field)) : [];
  const all: EvidenceRule[] = [...(listed ?? []), ...cells.flatMap((cell) => cell.rules), ...words.rules];
  const isUnsaid = isChoice && !all.some(({ kind }) => isChoosing.has(kind));
  return {
    rules: all,
    required: words.required && cells.every(({ required }) => required) && !isOnlyWished(description),
    mayBeEmpty: words.mayBeEmpty || cells.some(({ mayBeEmpty }) => mayBeEmpty),
    comparisons: [...compared.comparisons, ...cells.flatMap(({ comparisons }) => comparisons)],
    unclear: [
      ...(words.unclear === undefined ? [] : [words.unclear]),
      ...cells.flatMap(({ unclear }) => unclear),
      ...(isUnsaid ? ["the values to choose from are not said"] : []),
    ],
  };
}

const isChoosing: ReadonlySet<string> = new Set(["one_of", "equals", "matches"]);

/** An enum with its values in another cell, as a plain list; undefined where none says them. */
function chosenFrom(
  cells: readonly RuleCell[],
  description: string,
  type: EvidenceType,
  field: string,
): EvidenceRule[] | undefined {
  for (const words of [...cells.map(({ words }) => words), description]) {
    const values = words.replace(/^\W*(?:one of|either|enum|values?)\b[\s:(]*/i, "").replace(/\)$/, "");
    const read = /[,/|]|\bor\b/i.test(values) ? readRules(`one of: ${values}`, type, field) : undefined;
    if (read?.unclear === undefined && read?.rules.some(({ kind }) => kind === "one_of")) return [...read.rules];
  }
  return undefined;
}

function cellRules({ words: said, header, bound }: RuleCell, type: EvidenceType, field: string): RowRules {
  const { rest, comparisons } = comparedFields(said, 1);
  const words = rest.replaceAll(/\s+/g, " ").replace(/^[\s;,]+|[\s;,]+$/g, "");
  const none = { rules: [], required: true, mayBeEmpty: false, unclear: [], comparisons };
  if (words === "" || saysNoMore.test(words)) return none;
  if (bound !== undefined) return boundRules(words, bound, type, header);
  const plain = words.replaceAll("`", "");
  const offered = offersValues.test(header) && type !== "boolean" ? offer(words, type, field) : undefined;
  if (offered !== undefined) return { ...none, rules: offered };
  // "one of fast, slow" are two values, and would be one by the vocabulary of gate files.
  const named = Array.isArray(choicesIn(words, type)) ? undefined : namedRules(plain, type, field);
  if (named !== undefined && "rules" in named) return { ...none, ...named };
  for (const form of [truth(plain, type), hasSome.test(words) ? "non-empty" : words, exactly(words, header, type)]) {
    const read = form === undefined ? undefined : readRules(form, type, field);
    if (
      read !== undefined &&
      read.unclear === undefined &&
      (read.rules.length > 0 || !read.required || read.mayBeEmpty)
    )
      return { ...none, rules: read.rules, required: read.required, mayBeEmpty: read.mayBeEmpty };
  }
  // A yes is all that can be asked of a statement.
  if (type === "boolean" && !/\bfalse\b|^\W*\d|[<>=≥≤]/i.test(words)) return none;
  const why = readRules(words, type, field).unclear;
  const isNamed = /validat/i.test(header) ? named?.unclear : undefined;
  return { ...none, unclear: [why ?? isNamed ?? `"${plain}" under "${header}" is not understood as a rule`] };
}

/** What a required value is anyway. */
const saysNoMore =
  /^(?:required|mandatory|must|provided|present|must be (?:present|provided|given|set)|any(?: value)?|anything|free(?: text| form)?|not[ _]null|non-?null)$/i;
const hasSome = /^(?:has|have|contains?|with) (?:some )?(?:keys|entries|items|content|values|text|data)$/i;
const offersValues = /\b(?:values?|options?|choices?|enum)\b/i;

function truth(words: string, type: EvidenceType): string | undefined {
  if (type !== "boolean") return undefined;
  if (/^(?:true|yes|y|✅|✓|✔)$/iu.test(words)) return "must be true";
  return /^(?:false|no|n|❌|✗|✘)$/iu.test(words) ? "must be false" : undefined;
}

/** One value is that value: `GO` anywhere, GO or 3 where the header says that it is what must be there. */
function exactly(words: string, header: string, type: EvidenceType): string | undefined {
  if (/[,;/|]|\s/.test(words.replaceAll(/"[^"]*"|`[^`]*`/g, ""))) return undefined;
  const isExact = /\b(?:must|expected|equals?|exact(?:ly)?)\b/i.test(header);
  if (type !== "string") return isExact ? `must be ${words}` : undefined;
  return `must be ${isExact && /^[\p{L}\p{N}]/u.test(words) ? `"${words}"` : words}`;
}

/** "red, green" under "Allowed values"; a range or a comparison there is read as one. */
function offer(words: string, type: EvidenceType, field: string): EvidenceRule[] | undefined {
  if (/[<>≥≤]|\.\.|\d\s*[-–—]\s*\d|\b(?:at|than|between|to|of|must|exactly)\b/i.test(words)) return undefined;
  const isOne = !/[,/|]|\bor\b/i.test(words);
  if (isOne && /\s/.test(words) && !/^["“`]/.test(words)) return undefined;
  const form = !isOne ? `one of: ${words}` : `must be ${/^["“`\d]/.test(words) ? words : `"${words}"`}`;
  const { rules, unclear } = readRules(form, type, field);
  return unclear === undefined && rules.some(({ kind }) => kind === "one_of" || kind === "equals")
    ? [...rules]
    : undefined;
}

function boundRules(words: string, bound: "least" | "most", type: EvidenceType, header: string): RowRules {
  const none = { rules: [], required: true, mayBeEmpty: false, comparisons: [] };
  const isNumber = /^-?\d[\d,]*(?:\.\d+)?\s*(?:%|[\p{L}]+)?$/u.test(words);
  const read = readRules(isNumber ? `at ${bound} ${words}` : words, type);
  const isRead = type !== "boolean" && read.unclear === undefined && read.rules.length > 0;
  return isRead
    ? { ...none, rules: read.rules, unclear: [] }
    : { ...none, unclear: [`"${words}" (${header}) is not understood`] };
}
