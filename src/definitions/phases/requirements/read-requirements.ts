import type { RootContent } from "mdast";
import type { Requirement } from "../../../gates/gate.ts";
import { evidenceTypeOf } from "../../../gates/type-vocabulary.ts";
import { defined } from "../../../kit/defined.ts";
import { type Entry, entriesOf } from "../markdown/entries.ts";
import { inlineRequest } from "../markdown/inline-requests.ts";
import { saysOptional } from "../markdown/places.ts";
import { type RowCells, typeWords } from "../markdown/tables.ts";
import { approvalIn, isOnlyApproval } from "./approvals.ts";
import { type Meaning, meaningOf } from "./meaning.ts";
import { asField, namesIn, splitFields, subjectsIn } from "./names.ts";

/** One requirement as one line asks for it. */
export type LineRead = {
  readonly kind: "enforced" | "asked" | "approval" | "not read";
  /** The author's words. */
  readonly text: string;
  readonly line: number;
  readonly requirement?: Requirement;
  readonly compared?: Meaning["compared"];
  readonly isBox?: boolean;
  readonly isNamed?: boolean;
  /** True if words inside the line ask, such as "must provide". */
  readonly isRequest?: true;
  /** Words that would be enforced, in place of the text. */
  readonly rewrite?: string | undefined;
};

/** Groups the items of a list that follow one another; everything else is by itself. */
function inLists(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const lists: Entry[][] = [];
  for (const entry of entries) {
    const list = lists.at(-1);
    const last = list?.at(-1);
    if (list !== undefined && last !== undefined && isListed(last) && isListed(entry)) list.push(entry);
    else lists.push([entry]);
  }
  return lists;
}

function isListed({ kind, isItem }: Entry): boolean {
  return kind === "item" || isItem === true;
}

type Context = { readonly fields: ReadonlySet<string>; readonly isTask: boolean; readonly isDenied: boolean };

/** Reads what Markdown asks for, line by line; `isTask`: loose checkboxes are steps and ask for nothing. */
export function readRequirements(nodes: readonly RootContent[], isTask = false): readonly LineRead[] {
  const entries = entriesOf(nodes).filter(({ kind, place }) => kind !== "box" || !isTask || place.asks);
  const isDenied = entries.some((entry) => approvalIn(entry) === "none");
  const read = (fields: ReadonlySet<string>): LineRead[] =>
    inLists(entries).flatMap((list) => {
      const reads = list.map((entry) => readEntry(entry, { fields, isTask, isDenied }));
      // Beside an item that asks, an author expects that the others ask too.
      const isAsking = list.length > 1 && reads.flat().some(({ kind }) => kind !== "not read");
      return list.flatMap((entry, at): LineRead[] => {
        const own = reads[at] ?? [];
        const { text, line } = entry;
        return own.length > 0 || !isAsking ? own : [{ kind: "not read", text: text.replaceAll("**", ""), line }];
      });
    });
  // Only once all fields are known is it known which of them a line compares.
  const lines = read(new Set(read(new Set()).flatMap(({ requirement }) => requirement?.field ?? [])));
  const isSame = (one: LineRead, other: LineRead): boolean => one.kind === other.kind && one.line === other.line;
  return lines.filter(
    (one, at) => one.requirement !== undefined || lines.findIndex((other) => isSame(one, other)) === at,
  );
}

function readEntry(entry: Entry, context: Context): LineRead[] {
  const { text: written, line, kind, place, cells } = entry;
  const text = written.replaceAll("**", "");
  const said = approvalIn(entry);
  const approval = context.isDenied && said === "asked" ? "perhaps" : said;
  const approves: LineRead[] = approval === "asked" ? [{ kind: "approval", text, line }] : [];
  const isText = kind === "item" || kind === "box" || kind === "text";
  const found = isText ? inlineRequest(written) : undefined;
  // Where requirements are listed, "**Evidence**: the photo" is one of that name.
  const isName = place.asks && /^\W*\*\*/.test(written) && splitFields(found?.asked ?? "", true).length === 1;
  const request = isName ? undefined : found;
  const isOwn = kind === "row" || (kind === "box" && !context.isTask) || (place.asks && isText);
  const isApproval = (words: string): boolean =>
    approves.length > 0 &&
    !/`[\p{L}_][\p{L}\p{N}_]*`/u.test(words) &&
    isOnlyApproval(words) &&
    (words === written || approvalIn({ ...entry, text: words }) === "asked");
  if (approval === "none" || isApproval(written)) return approves;
  if (!isOwn && request === undefined)
    return approves.length > 0 || !(approval === "perhaps" || saysMust(entry, text))
      ? approves
      : [{ kind: "not read", text, line }];
  if (cells !== undefined) return [...approves, rowRead(entry, cells, context.fields)];
  const isList = request !== undefined || (approves.length > 0 && written.includes(";"));
  const parts = splitFields(request?.asked ?? written, isList).filter((part) => !isApproval(part));
  const before = (request?.before ?? "").replace(/\b(?:you|the \w+|we|it)$/i, "");
  const asking = request === undefined ? {} : ({ isRequest: true } as const);
  return [
    ...approves,
    ...parts.map((part) => ({ ...partRead(part, before, parts.length === 1, entry, context.fields), ...asking })),
  ];
}

/** Tells if the words of a line call for something. */
function saysMust({ kind, place }: Entry, text: string): boolean {
  const isLead = kind === "heading" || (kind === "label" && place.asks);
  return !isLead && /\b(?:must|needs?|needed|has to|have to)\b|\b(?:required|evidence|checkpoint):/i.test(text);
}

/** Reads what a line, or a part of it, says of one field. */
function partRead(
  part: string,
  before: string,
  isOnly: boolean,
  { text: written, line, kind, place }: Entry,
  fields: ReadonlySet<string>,
): LineRead {
  const text = (isOnly || !/[:(]/.test(part) ? written : part).replaceAll("**", "").trim();
  const names = namesIn(part);
  const all = { text, line, isBox: kind === "box", isOptional: place.isOptional };
  for (const { field, by, words } of names) {
    const meaning = by === "made" ? undefined : meaningOf(before === "" ? words : `${before}; ${words}`, field, fields);
    // "Photos: at least 10" may ask for a number or for the things.
    const isEither = by === "label" && /s$/.test(field) && meaning?.type === "number" && !/number|integer/i.test(words);
    if (meaning !== undefined && !isEither) return lineOf(field, { ...all, isNamed: by === "code" }, meaning);
  }
  const [{ field, by } = { field: "", by: "made" }] = names;
  const isOptional = place.isOptional || saysOptional(text);
  const near = isOnly && by === "made" && written.endsWith(part) ? rewriteOf(part, fields) : undefined;
  const rewrite = near && `${written.slice(0, written.length - part.length)}${near}`;
  return {
    ...lineOf(field || `line_${line}`, { ...all, isOptional, isNamed: by === "code" }),
    ...defined({ rewrite }),
  };
}

/** Words that would be enforced: the same with a name in front. */
function rewriteOf(part: string, fields: ReadonlySet<string>): string | undefined {
  const near = subjectsIn(part).find(({ field, words }) => meaningOf(words, field, fields) !== undefined);
  return near && `\`${near.field}\`: ${near.words.replace(/^(?:is|are|has|have)\s+|\)\W*$/gi, "").trim()}`;
}

function rowRead(
  { text: written, line, place }: Entry,
  { name, type: cell, rule, description, isOptional, isConditional }: RowCells,
  fields: ReadonlySet<string>,
): LineRead {
  const code = /`([\p{L}_][\p{L}\p{N}_-]*)(?:\[\])?`/u.exec(name)?.[1];
  const field = code ?? (/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) ? name : asField(name));
  const given = evidenceTypeOf(typeWords(cell));
  const type = given === undefined ? cell : "";
  const read = (said: string): Meaning | undefined =>
    meaningOf([type, said].filter((one) => one !== "").join("; "), field, fields, given);
  // Without a column for the rule, a description that is understood is one.
  const meaning = read(rule ?? description) ?? (rule === undefined ? read("") : undefined);
  const own = rule ? (meaningOf(rule, field, fields, given ?? "any") ?? meaning) : undefined;
  const said = {
    text: written.replaceAll("**", ""),
    line,
    isOptional: isOptional || place.isOptional,
    isNamed: true,
    isBox: false,
  };
  return lineOf(field, said, isConditional || own?.isDescribed ? undefined : meaning);
}

/** A line with its requirement: enforced by its meaning, or asked in its author's words. */
function lineOf(
  field: string,
  { isOptional, ...said }: Pick<LineRead, "text" | "line" | "isBox" | "isNamed"> & { readonly isOptional: boolean },
  meaning?: Meaning,
): LineRead {
  const { text: description, isBox = false, isNamed = false } = said;
  if (meaning !== undefined) {
    const { type, rules, compared, mayBeEmpty } = meaning;
    const required = !meaning.isOptional && !isOptional;
    const empty = mayBeEmpty || type === "list" ? { mayBeEmpty } : {};
    return {
      ...said,
      kind: "enforced",
      compared,
      requirement: { field, type, required, description, rules, ...empty },
    };
  }
  const asked = onlyAsked({ field, required: !isOptional, description });
  const empty = /\bnone\b|\bif any\b|\bmay be empty\b/i.test(description) ? { mayBeEmpty: true } : {};
  const box = isNamed ? { rules: [{ kind: "differs_from" as const, value: false }] } : { type: "boolean" as const };
  return { ...said, kind: "asked", requirement: { ...asked, ...(isBox ? box : {}), ...empty } };
}

/** A requirement in its author's words, which any value satisfies. */
export function onlyAsked({
  field,
  required,
  description,
  source,
}: Pick<Requirement, "field" | "required" | "description" | "source">): Requirement {
  return { field, type: "any", required, description, rules: [], checked: false, ...defined({ source }) };
}
