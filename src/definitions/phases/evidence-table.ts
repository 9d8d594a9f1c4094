import type { Table, TableCell } from "mdast";
import type { EvidenceType } from "../../workflow/gate.ts";
import { type Demand, type Demands, noDemands } from "./demand.ts";
import { joinLines, type Line, linesOf } from "./lines.ts";
import { meaningOf } from "./meaning.ts";
import { namedRules, typeOfValidator } from "./named-rules.ts";
import { asSnake, codeName, isName } from "./names.ts";
import type { Asking } from "./prose.ts";
import { type RuleRead, readRules } from "./rule-words.ts";
import { readType } from "./type-words.ts";
import { choicesIn } from "./values.ts";

/** Reads an evidence table, whatever the order of its columns; undefined where a table is about something else. */
export function tableDemands(table: Table, asking: Asking): Demands | undefined {
  const [head, ...rows] = table.children.map(({ children }) => children.map(textOf));
  const columns = columnsOf(head?.map(({ text }) => text) ?? []);
  if (columns.name === undefined || !isAboutEvidence(head?.[columns.name]?.text ?? "", columns, asking))
    return undefined;
  const read = rows.flatMap((cells) => rowDemand(cells, columns) ?? []);
  return {
    ...noDemands,
    demands: read.flatMap(({ demand }) => demand ?? []),
    unclear: read.flatMap(({ unclear, line }) => unclear.map((message) => ({ line, message }))),
  };
}

type Column = "name" | "type" | "validator" | "description" | "required";
type Columns = Partial<Readonly<Record<Column, number>>>;

const headers: Readonly<Record<Column, RegExp>> = {
  name: /^(?:required )?(?:evidence|fields?|names?|keys?|items?|criteri(?:on|a)|requirements?|checks?)(?: (?:field|name|key|item|id|required))?$/i,
  type: /^(?:(?:data|value|field|evidence) )?types?$/i,
  validator:
    /^(?:validators?|validations?|rules?|constraints?|conditions?|thresholds?|expected(?: value)?|targets?|limits?|pass(?:es)? (?:when|if|condition)|acceptance|must be|valid(?:ation)? (?:rule|if|when|criteria))$/i,
  description: /^(?:descriptions?|meaning|notes?|details?|explanation|what|purpose|comment)s?$/i,
  required: /^(?:required|mandatory|optional)\??$/i,
};

function columnsOf(head: readonly string[]): Columns & { readonly isOptional?: boolean } {
  const find = (column: Column): number | undefined => {
    const index = head.findIndex((text) => headers[column].test(text.replaceAll(/[^\p{L}\s?]/gu, "").trim()));
    return index === -1 ? undefined : index;
  };
  const found = (Object.keys(headers) as Column[]).map((column) => [column, find(column)] as const);
  const isOptional = found.some(([column, at]) => column === "required" && /optional/i.test(head[at ?? -1] ?? ""));
  return { ...Object.fromEntries(found.filter(([, at]) => at !== undefined)), isOptional };
}

/** A table of fields and types may describe anything; one that says evidence, or stands where evidence is asked for, does not. */
function isAboutEvidence(name: string, { type, validator, description, required }: Columns, asking: Asking): boolean {
  const isTyped = type !== undefined || validator !== undefined;
  if (/evidence/i.test(name)) return isTyped || required !== undefined || asking !== "nothing";
  if (asking === "nothing") return false;
  return isTyped || required !== undefined || (asking === "listed" && description !== undefined);
}

type Row = { readonly demand?: Demand; readonly unclear: readonly string[]; readonly line: number };

function rowDemand(cells: readonly Line[], columns: Columns & { readonly isOptional?: boolean }): Row | undefined {
  const cell = (column: Column): Line | undefined =>
    columns[column] === undefined ? undefined : cells[columns[column]];
  const name = cell("name");
  const field = name === undefined ? "" : nameOf(name);
  if (field === "" || name === undefined) return undefined;
  const description = cell("description")?.text.trim() ?? "";
  const validator = meaningful(cell("validator")?.text ?? "");
  const typed = meaningful(cell("type")?.text ?? "");
  const written = typed === "" ? undefined : readType(typed);
  const inferred = typeWithout(field, description, validator);
  const type = written ?? inferred.type;
  const required = requiredIn(cell("required")?.text, columns.isOptional === true);
  const worded = wordedRules(field, typed, description, validator, columns.validator !== undefined, type);
  const unclear = [
    ...(typed !== "" && written === undefined ? [`the type "${typed}" is not understood`] : []),
    ...(required === undefined ? [`whether it is required ("${cell("required")?.text}") is not understood`] : []),
    ...worded.unclear,
  ].map((message) => `${field}: ${message}`);
  const line = name.line;
  const demand: Demand = {
    field,
    type,
    certainty: written === undefined ? inferred.certainty : "written",
    required: (required ?? true) && worded.required,
    description: description === "" ? type : description.replaceAll(/\s+/g, " "),
    rules: [...new Map(worded.rules.map((rule) => [JSON.stringify(rule), rule])).values()],
    mayBeEmpty: worded.mayBeEmpty,
    line,
  };
  return { demand, unclear, line };
}

/** Without a type the validator tells it, else the words do, as they do in a sentence. */
function typeWithout(field: string, description: string, validator: string): Pick<Demand, "type" | "certainty"> {
  const asked = typeOfValidator(validator);
  return asked === undefined
    ? meaningOf(field, `${validator} ; ${description}`, [])
    : { type: asked, certainty: "read" };
}

type Worded = Pick<RuleRead, "rules" | "required" | "mayBeEmpty"> & { readonly unclear: readonly string[] };

/** A validator is the rule; where a table has none, the words of type and description are. */
function wordedRules(
  field: string,
  typed: string,
  description: string,
  validator: string,
  hasColumn: boolean,
  type: EvidenceType,
): Worded {
  const beside = readRules(hasColumn ? typed : `${typed} ; ${description}`, type, field);
  const base = { required: beside.required && !/\(optional\)/i.test(description), mayBeEmpty: beside.mayBeEmpty };
  const unclear = beside.unclear === undefined ? [] : [beside.unclear];
  if (validator === "") return { ...base, rules: beside.rules, unclear };
  const words = /^(?:true|false)$/i.test(validator) ? `must be ${validator}` : validator;
  // "one of fast, slow" are two values, and would be one by the vocabulary of gate files.
  const named = Array.isArray(choicesIn(words, type)) ? undefined : namedRules(validator, type, field);
  if (named !== undefined && "rules" in named)
    return {
      ...base,
      rules: [...named.rules, ...beside.rules],
      mayBeEmpty: base.mayBeEmpty || named.mayBeEmpty,
      unclear,
    };
  const said = readRules(words, type, field);
  const isSaid = said.unclear === undefined && (said.rules.length > 0 || !said.required || said.mayBeEmpty);
  if (!isSaid)
    return { ...base, rules: [], unclear: [named?.unclear ?? `the validator "${validator}" is not understood`] };
  return {
    rules: [...said.rules, ...beside.rules],
    required: base.required && said.required,
    mayBeEmpty: base.mayBeEmpty || said.mayBeEmpty,
    unclear,
  };
}

function requiredIn(text: string | undefined, isOptional: boolean): boolean | undefined {
  const word = (text ?? "").trim().toLowerCase();
  if (word === "") return true;
  const yes = /^(?:yes|y|true|required|mandatory|must|always|✅|✓|✔️?|☑️?|x|1)$/u.test(word);
  const no = /^(?:no|n|false|optional|never|❌|✗|✘|-|–|—|0)$/u.test(word);
  if (!yes && !no) return undefined;
  return isOptional && !/^(?:required|mandatory|optional)$/.test(word) ? no : yes;
}

function meaningful(text: string): string {
  const words = text.replaceAll("`", "").trim();
  return /^(?:-|–|—|none|n\/a|any|)$/i.test(words) ? "" : words;
}

function nameOf({ text, marks }: Line): string {
  const code = marks.map(({ kind, text }) => (kind === "code" ? codeName(text)?.field : undefined)).find(Boolean);
  const plain = text.trim();
  const isBold = marks.some(({ kind }) => kind === "strong");
  return code ?? (isName(plain) && !isBold ? plain : asSnake(plain));
}

function textOf(cell: TableCell): Line {
  const line = cell.position?.start.line ?? 1;
  return { ...joinLines(linesOf(cell.children, line)), line };
}
