import type { Table, TableCell } from "mdast";
import type { Place } from "../markdown/blocks.ts";
import { askingAt, isOptionalPlace } from "../markdown/gate-places.ts";
import { joinLines, type Line, linesOf } from "../markdown/lines.ts";
import { meaningOf } from "../words/meaning.ts";
import { typeOfValidator } from "../words/named-rules.ts";
import { isMark, requirednessIn } from "../words/requiredness.ts";
import { type Demand, type Demands, gather, noDemands } from "./demand.ts";
import type { Asking } from "./prose.ts";
import { type Column, columnsOf, isOfChecks, type Role } from "./table-columns.ts";
import { namesInCell } from "./table-names.ts";
import { type RowWords, type RuleCell, rowRules } from "./table-rules.ts";
import { typeInCell } from "./table-types.ts";

/** Reads an evidence table, whatever the order of its columns; undefined where a table is about something else. */
export function tableDemands(table: Table, place: Place): Demands | undefined {
  const [head = [], ...rows] = table.children.map(({ children }) => children.map(textOf));
  const columns = columnsOf(
    head.map(({ text }) => text),
    rows,
  );
  const asking = askingAt(place);
  if (!isAboutEvidence(columns, asking)) return asking === "nothing" ? undefined : unread(table, columns);
  const withMarks = marksMeanYes(columns, rows);
  const fields = rows.flatMap((cells) => namesInCell(cells[nameAt(columns)]).fields);
  const isAsked = !isOptionalPlace(place);
  return gather(rows.map((cells) => rowDemands(cells, columns, { withMarks, fields, isAsked })));
}

function nameAt(columns: readonly Column[]): number {
  return columns.find(({ role }) => role === "name")?.at ?? -1;
}

/** A table of fields and types may describe anything; one that says evidence, or stands where evidence is asked for, does not. */
function isAboutEvidence(columns: readonly Column[], asking: Asking): boolean {
  const has = (...roles: Role[]): boolean => columns.some(({ role }) => roles.includes(role));
  const name = columns.find(({ role }) => role === "name");
  if (name === undefined) return false;
  const isTold = has("type", "rule", "least", "most", "required");
  if (/evidence/i.test(name.header)) return isTold || asking !== "nothing";
  return asking !== "nothing" && (isTold || has("description") || isOfChecks(name.header));
}

/** A table where evidence is asked for might ask for some, and its author should know that it does not. */
function unread(table: Table, columns: readonly Column[]): Demands | undefined {
  if (columns.every(({ role }) => role === "aside")) return undefined;
  const line = table.position?.start.line ?? 1;
  const headers = columns.map(({ header }) => header).join(", ");
  return { ...noDemands, nameless: [{ line, message: `the table (${headers}) has no column that names evidence` }] };
}

/** Where a column holds nothing but marks, a row without one is not required. */
function marksMeanYes(columns: readonly Column[], rows: readonly (readonly Line[])[]): boolean {
  const at = columns.find(({ role }) => role === "required")?.at;
  const cells = at === undefined ? [] : rows.map((row) => row[at]?.text.trim() ?? "").filter((text) => text !== "");
  return cells.length > 0 && cells.every(isMark);
}

type Reading = {
  readonly withMarks: boolean;
  /** The names in the table: a rule may compare one with another. */
  readonly fields: readonly string[];
  readonly isAsked: boolean;
};

function rowDemands(cells: readonly Line[], columns: readonly Column[], reading: Reading): Demands {
  const { fields, beside } = namesInCell(cells[nameAt(columns)]);
  const line = cells[0]?.line ?? 1;
  return gather(fields.map((field) => fieldDemand(field, beside, cells, columns, reading, line)));
}

function fieldDemand(
  field: string,
  beside: string,
  cells: readonly Line[],
  columns: readonly Column[],
  { withMarks, fields, isAsked }: Reading,
  line: number,
): Demands {
  const of = (role: Role): string[] =>
    columns.flatMap((column) => (column.role === role ? meaningful(marked(cells[column.at], fields)) : []));
  const plain = (role: Role): string => of(role).join(" ; ").replaceAll("`", "");
  const rules = columns.flatMap((column) => ruleCell(column, cells, fields));
  const words: RowWords = { field, typed: plain("type"), beside, description: of("description").join(" ; "), rules };
  const written = words.typed === "" ? undefined : typeInCell(words.typed);
  const inferred = typeWithout(words, columns);
  const type = written ?? inferred.type;
  const required = requiredIn(cells, columns, withMarks);
  const read = rowRules(words, type);
  const unclear = [
    ...(words.typed !== "" && written === undefined ? [`the type "${words.typed}" is not understood`] : []),
    ...(required === undefined ? [`whether it is required ("${plain("required")}") is not understood`] : []),
    ...read.unclear,
  ];
  const description = plain("description").replaceAll(/\s+/g, " ");
  const demand: Demand = {
    field,
    type,
    certainty: written === undefined ? inferred.certainty : "written",
    required: isAsked && (required ?? true) && read.required,
    description: description === "" ? type : description,
    rules: [...new Map(read.rules.map((rule) => [JSON.stringify(rule), rule])).values()],
    mayBeEmpty: read.mayBeEmpty,
    line,
  };
  return {
    demands: [demand],
    comparisons: read.comparisons.map((one) => ({ ...one, left: { field }, line })),
    unclear: unclear.map((message) => ({ line, message: `${field}: ${message}` })),
    nameless: [],
  };
}

/** What stands under a header that nobody knows might be a rule, and is read as one. */
function ruleCell({ role, header, at }: Column, cells: readonly Line[], fields: readonly string[]): RuleCell[] {
  const isRule = role === "rule" || role === "unknown" || role === "least" || role === "most";
  const [words] = isRule ? meaningful(marked(cells[at], fields)) : [];
  if (words === undefined) return [];
  return [{ words, header, ...(role === "least" || role === "most" ? { bound: role } : {}) }];
}

/** Without a type the rule tells it, else the words do, as they do in a sentence; a check holds or does not. */
function typeWithout(
  { field, beside, description, rules }: RowWords,
  columns: readonly Column[],
): Pick<Demand, "type" | "certainty"> {
  const cells = rules.map(({ words, bound }) => (bound === undefined ? words : `at ${bound} ${words}`));
  const asked = cells.map((cell) => typeOfValidator(cell.replaceAll("`", ""))).find((type) => type !== undefined);
  if (asked !== undefined) return { type: asked, certainty: "read" };
  const meaning = meaningOf(field, [...cells, beside, description].join(" ; "), []);
  const isCheck = rules.length === 0 && columns.some(({ role, header }) => role === "name" && isOfChecks(header));
  return isCheck && meaning.certainty === "assumed" ? { type: "boolean", certainty: "assumed" } : meaning;
}

function requiredIn(cells: readonly Line[], columns: readonly Column[], withMarks: boolean): boolean | undefined {
  const column = columns.find(({ role }) => role === "required");
  const text = column === undefined ? "" : (cells[column.at]?.text.trim() ?? "");
  const isOptional = /^optional/i.test(column?.header.trim() ?? "");
  if (text === "") return isOptional || !withMarks;
  const said = requirednessIn(text);
  return isOptional && !/^(?:required|mandatory|optional)$/i.test(text) && said !== undefined ? !said : said;
}

/** The words of a cell, if it says anything. */
function meaningful(text: string): string[] {
  return /^[\s`]*(?:[-–—_.…*☐⬜□]*|none|n\/a|any|tbd|todo|✅\s*\/\s*❌)[\s`]*$/iu.test(text) ? [] : [text.trim()];
}

/** A cell with its backticks, and with some around the names of other fields. */
function marked(cell: Line | undefined, fields: readonly string[]): string {
  if (cell === undefined) return "";
  let words = "";
  let at = 0;
  for (const { kind, start, end } of cell.marks) {
    if (kind !== "code" || start < at) continue;
    words += `${cell.text.slice(at, start)}\`${cell.text.slice(start, end)}\``;
    at = end;
  }
  words += cell.text.slice(at);
  return words.replaceAll(/(?<![\p{L}\p{N}_`.])[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+(?![\p{L}\p{N}_`])/gu, (word) =>
    fields.includes(word) ? `\`${word}\`` : word,
  );
}

function textOf(cell: TableCell): Line {
  const line = cell.position?.start.line ?? 1;
  return { ...joinLines(linesOf(cell.children, line)), line };
}
