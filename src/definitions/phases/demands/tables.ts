import type { Table } from "mdast";
import type { EvidenceType } from "../../../gates/gate.ts";
import { evidenceTypeOf } from "../../../gates/type-vocabulary.ts";
import { oneLine } from "../../files/single-spaced.ts";
import { combineRules } from "../../gates/rule-names.ts";
import { parseValidator } from "../../gates/validator.ts";
import { type ContextKind, wordsOf } from "../markdown/context-kind.ts";
import { rowsOf } from "../markdown/table-rows.ts";
import { isStruckThrough, type Line } from "../markdown/text-lines.ts";
import { meaningOf, statesRule } from "../words/meaning.ts";
import { isApproval } from "./approvals.ts";
import { type Demand, type Demands, gather, nameless, noDemands, unclear } from "./demand.ts";
import { asSnake, namesIn } from "./names.ts";

/** What an evidence table asks for, row by row; undefined where a table is none. */
export function tableDemands(table: Table, kind: ContextKind): Demands | undefined {
  const [head = [], ...rows] = rowsOf(table);
  const columns = head.map(({ text }) => columnOf(text));
  const isTold = columns.includes("type") || columns.includes("rule");
  const isEvidence = head.some(({ text }) => wordsOf(text)[0] === "evidence");
  const isNamed = isEvidence || (columns.includes("name") && (kind === "evidence" || kind === "gate"));
  if (!isNamed || !isTold) return undefined;
  const odd = head.find((_, index) => columns[index] === undefined);
  if (odd !== undefined)
    return unclear(
      odd.line,
      `the column "${odd.text}" of the evidence table is not understood; call it Evidence, Type, Validator, Required or Description`,
    );
  const again = head.find((_, index) => onlyOnce.has(columns[index]) && columns.indexOf(columns[index]) < index);
  if (again !== undefined)
    return unclear(again.line, `the column "${again.text}" of the evidence table repeats another column`);
  return gather(
    rows.map((row) => {
      const [name] = row;
      if (name === undefined || isStruckThrough(name.text)) return noDemands;
      // A row about somebody's approval asks for that, and for evidence only where it says of what kind.
      const type = typeOf(row[columns.indexOf("type")]?.text ?? "");
      return isApproval(name.text) && (type ?? "boolean") === "boolean" ? noDemands : rowDemands(row, columns);
    }),
  );
}

type Column = "name" | "type" | "rule" | "required" | "description";

/** Of two such columns one would be passed over. */
const onlyOnce: ReadonlySet<Column | undefined> = new Set<Column>(["name", "type", "rule", "required"]);

const columnWords: readonly (readonly [Column, string])[] = [
  ["name", "evidence, field, name, key, evidence field, evidence item, field name"],
  ["type", "type, kind, format, data type"],
  [
    "rule",
    "validator, validation, validation rule, validation rules, rule, rules, constraint, constraints, criteria, acceptance criteria, check",
  ],
  ["required", "required, mandatory, optional"],
  [
    "description",
    "description, notes, note, meaning, purpose, what, comment, comments, details, example, examples, source, status",
  ],
];

function columnOf(head: string): Column | undefined {
  const words = wordsOf(head).join(" ");
  if (words === "" || words === "#") return "description";
  return columnWords.find(([, said]) => said.split(", ").includes(words))?.[0];
}

function rowDemands(row: readonly Line[], columns: readonly (Column | undefined)[]): Demands {
  const { line } = row[0] ?? { line: 1 };
  const none: Line = { text: "", marks: [], line };
  const cell = (column: Column): Line => row[columns.indexOf(column)] ?? none;
  const names = namesIn(cell("name"));
  const field = names[0]?.field ?? asSnake(cell("name").text);
  if (names.length > 1) return unclear(line, "a row of the evidence table names several fields; give each a row");
  if (field === "") return unclear(line, "a row of the evidence table names no field");
  const description = cell("description");
  const written = cell("type").text.trim();
  const type = typeOf(written);
  if (type === undefined && !isNothing(written))
    return unclear(line, `the type "${written}" of ${field} is not understood`);
  const rule = cell("rule");
  const context = { field, isBox: false, isField: () => false, ...(type === undefined ? {} : { type }) };
  // Where there is a column for the rule, the description should be none.
  const isApart = columns.includes("rule");
  const words = meaningOf(isApart ? none : description, context);
  if ("unclear" in words) return unclear(line, `${field}: ${words.unclear}`);
  const meant = type ?? words.type;
  const read = combineRules([{ rules: words.rules }, ...(isNothing(rule.text) ? [] : [ruleIn(rule, meant, context)])]);
  if ("unusable" in read)
    return unclear(line, `the rule "${rule.text.trim()}" of ${field} is not understood: ${read.unusable}`);
  const demand = {
    field,
    type: meant,
    rules: read.rules,
    mayBeEmpty: words.mayBeEmpty || read.mayBeEmpty === true,
    required: isAsked(cell("required").text) && words.required !== false,
    description: oneLine(description.text) || field,
    line,
    isRow: true,
  } as const;
  const aside = isApart ? ruleBeside(description, demand, context) : noDemands;
  return aside.unclear.length > 0 ? aside : { ...aside, demands: [demand] };
}

/** What a description says of a value and the column for the rule does not: that would be lost. */
function ruleBeside(description: Line, demand: Demand, context: Parameters<typeof meaningOf>[1]): Demands {
  const { field, type, rules, required, mayBeEmpty } = demand;
  const { line, text } = description;
  const message = `the description "${text.trim()}" of ${field} has a rule that is missing from the rule column; move it there`;
  const words = meaningOf(description, { ...context, type });
  if ("unclear" in words) return statesRule(description, context.isField) ? nameless(line, message) : noDemands;
  const known = new Set(rules.map((rule) => JSON.stringify(rule)));
  if (!words.rules.every((rule) => known.has(JSON.stringify(rule)))) return unclear(line, message);
  const isLoose = (words.required === false && required) || (words.mayBeEmpty && !mayBeEmpty);
  return isLoose ? nameless(line, message) : noDemands;
}

/** A name of the vocabulary, else words, of which every one must be understood. */
function ruleIn(
  rule: Line,
  type: EvidenceType,
  context: Parameters<typeof meaningOf>[1],
): ReturnType<typeof combineRules> {
  const text = rule.text.trim();
  const named = parseValidator(text, { type });
  if (!("unusable" in named)) return named;
  const words = meaningOf(rule, { ...context, type });
  if ("unclear" in words) return named;
  const isSaid = words.rules.length > 0 || words.mayBeEmpty || words.required !== undefined;
  return isSaid ? { rules: words.rules, ...(words.mayBeEmpty ? { mayBeEmpty: true } : {}) } : named;
}

/** `integer`, "array of strings", "list[str]": the first word that is a type. */
function typeOf(written: string): EvidenceType | undefined {
  const whole = evidenceTypeOf(written);
  const [, first = "", rest = ""] = /^(\p{L}+)\s*(\[.*\]|<.*>|of\b.*)?$/su.exec(written.trim()) ?? [];
  const type = evidenceTypeOf(first);
  return whole ?? (rest === "" || type === "list" || type === "object" ? type : undefined);
}

function isNothing(text: string): boolean {
  return ["", "-", "–", "—", "none", "n/a", "any"].includes(text.trim().toLowerCase());
}

/** "yes", "✅", "required" and nothing at all ask for it; "no", "❌" and "optional" do not. */
function isAsked(text: string): boolean {
  return !["no", "n", "false", "optional", "❌", "✗", "not required"].includes(text.trim().toLowerCase());
}
