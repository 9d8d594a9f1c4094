import type { RootContent } from "mdast";
import type { EvidenceType, Requirement } from "../../../gates/gate.ts";
import { evidenceTypeOf } from "../../../gates/type-vocabulary.ts";
import { defined } from "../../../kit/defined.ts";
import { type Entry, entriesOf } from "../markdown/entries.ts";
import { inlineRequest } from "../markdown/inline-requests.ts";
import { saysOptional } from "../markdown/places.ts";
import { type RowCells, typeWords } from "../markdown/tables.ts";
import { approvalIn, isOnlyApproval } from "./approvals.ts";
import { type Meaning, meaningOf } from "./meaning.ts";
import { asField, type NamedWords, namesIn, splitFields, subjectsIn } from "./names.ts";

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
  /** Words that would be enforced, in place of the text. */
  readonly rewrite?: string;
};

/** Everything that a phase's Markdown asks for, line by line. */
export type RequirementsRead = {
  readonly lines: readonly LineRead[];
  /** The line of the approval that is asked for. */
  readonly approval: number | undefined;
};

/** Reads what Markdown asks for; `isTask`: loose checkboxes are steps and ask for nothing. */
export function readRequirements(nodes: readonly RootContent[], isTask = false): RequirementsRead {
  const entries = entriesOf(nodes).filter(({ kind, place }) => kind !== "box" || !isTask || place.asks);
  const fields = new Set(
    entries.flatMap(({ text }) => [...text.matchAll(/`([\p{L}_][\p{L}\p{N}_-]*)`/gu)].map(([, name = ""]) => name)),
  );
  const isDenied = entries.some((entry) => approvalIn(entry) === "none");
  const first = entries.flatMap((entry) => readEntry(entry, fields, { isTask, isDenied }));
  const named = new Set(first.flatMap(({ requirement }) => requirement?.field ?? []));
  const isUnknown = first.some(({ compared = [] }) => compared.some(({ other }) => !named.has(other)));
  const lines = isUnknown ? entries.flatMap((entry) => readEntry(entry, named, { isTask, isDenied })) : first;
  return { lines: lines.filter(isFirst), approval: lines.find(({ kind }) => kind === "approval")?.line };
}

/** Tells if nothing before a line without a requirement is the same line of the page, read the same way. */
function isFirst({ kind, line, requirement }: LineRead, at: number, lines: readonly LineRead[]): boolean {
  const isSame = (one: LineRead): boolean => one.kind === kind && one.line === line;
  return requirement !== undefined || lines.findIndex(isSame) === at;
}

function readEntry(
  entry: Entry,
  fields: ReadonlySet<string>,
  { isTask, isDenied }: { readonly isTask: boolean; readonly isDenied: boolean },
): LineRead[] {
  const { text: written, line, kind, place } = entry;
  const text = written.replaceAll("**", "");
  const said = approvalIn(entry);
  const approval = isDenied && said === "asked" ? "perhaps" : said;
  const approves: LineRead[] = approval === "asked" ? [{ kind: "approval", text, line }] : [];
  const request =
    kind === "heading" || kind === "label" || kind === "html" || kind === "row" ? undefined : inlineRequest(written);
  const isOwn =
    kind === "row" ||
    (kind === "box" && !isTask) ||
    (place.asks && (kind === "item" || kind === "box" || kind === "text"));
  const isNamed = /`[\p{L}_][\p{L}\p{N}_]*`/u.test(written);
  if (
    approval === "none" ||
    (!isOwn && request === undefined) ||
    (approves.length > 0 && !isNamed && isOnlyApproval(written))
  )
    return approves.length > 0 || approval === "none" ? approves : notRead(entry, text, approval === "perhaps");
  if (entry.cells !== undefined) return [...approves, rowRead(entry, entry.cells, fields)];
  const asked = request?.asked ?? written;
  const before = request?.before ?? "";
  const parts = splitFields(asked, request !== undefined);
  return [...approves, ...parts.map((part) => partRead(part, { entry, before, isOnly: parts.length === 1 }, fields))];
}

type Part = { readonly entry: Entry; readonly before: string; readonly isOnly: boolean };

function partRead(part: string, { entry, before, isOnly }: Part, fields: ReadonlySet<string>): LineRead {
  const { text: written, line, kind, place } = entry;
  const text = (isOnly || !/[:(]/.test(part) ? written : part).replaceAll("**", "").trim();
  const names = namesIn(part);
  const [name] = names;
  const prefix = before === "" ? "" : `${before.replace(/\b(?:you|the \w+|we|it)$/i, "")}; `;
  for (const { field, by, words } of names) {
    const meaning = by === "made" ? undefined : meaningOf(prefix + words, field, fields);
    // "Photos: at least 10" may ask for a number or for the things.
    const isEither = by === "label" && /s$/.test(field) && meaning?.type === "number" && !/number|integer/i.test(words);
    if (meaning === undefined || isEither) continue;
    return checkedLine(field, meaning, {
      text,
      line,
      isOptional: place.isOptional,
      isNamed: by === "code",
      isBox: kind === "box",
    });
  }
  const { field, by }: NamedWords = name ?? { field: "", by: "made", words: "" };
  const isCode = by === "code";
  const asked = onlyAsked({
    field: field === "" ? `line_${line}` : field,
    required: !place.isOptional && !saysOptional(text),
    description: text,
  });
  const requirement: Requirement = {
    ...asked,
    ...(kind !== "box" ? {} : isCode ? { rules: [{ kind: "differs_from", value: false }] } : { type: "boolean" }),
    ...(/\bnone\b|\bif any\b|\bmay be empty\b/i.test(text) ? { mayBeEmpty: true } : {}),
  };
  const rewrite = isOnly && by === "made" ? rewriteOf(part, fields, entry) : undefined;
  return {
    kind: "asked",
    text,
    line,
    requirement,
    isBox: kind === "box",
    isNamed: isCode,
    ...(rewrite === undefined ? {} : { rewrite }),
  };
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

/** Words that would be enforced: the same with a name in front. */
function rewriteOf(part: string, fields: ReadonlySet<string>, { text }: Entry): string | undefined {
  if (part !== text) return undefined;
  const [near] = subjectsIn(part).filter(
    ({ field, words }) => field !== "" && meaningOf(words, field, fields) !== undefined,
  );
  return near === undefined
    ? undefined
    : `\`${near.field}\`: ${near.words.replace(/^(?:is|are|has|have)\s+|\)\W*$/gi, "").trim()}`;
}

function checkedLine(
  field: string,
  meaning: Meaning,
  said: {
    readonly text: string;
    readonly line: number;
    readonly isOptional: boolean;
    readonly isNamed: boolean;
    readonly isBox: boolean;
  },
): LineRead {
  const { type, rules, compared } = meaning;
  const { text, line, isNamed, isBox } = said;
  const requirement: Requirement = {
    field,
    type,
    required: !meaning.isOptional && !said.isOptional,
    description: text,
    rules,
    ...(meaning.mayBeEmpty || type === "list" ? { mayBeEmpty: meaning.mayBeEmpty } : {}),
  };
  return { kind: "enforced", text, line, requirement, compared, isNamed, isBox };
}

function rowRead(
  entry: Entry,
  { name, type: cell, rule, description, isOptional, isConditional }: RowCells,
  fields: ReadonlySet<string>,
): LineRead {
  const { line, place } = entry;
  const text = entry.text.replaceAll("**", "");
  const code = /`([\p{L}_][\p{L}\p{N}_-]*)(?:\[\])?`/u.exec(name)?.[1];
  const field = code ?? (/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) ? name : asField(name));
  const said = typeWords(cell);
  const given: EvidenceType | undefined = evidenceTypeOf(said);
  const whole = [given === undefined ? cell : "", rule ?? description].filter((one) => one !== "").join("; ");
  const described = meaningOf(whole, field, fields, given);
  const isStrange =
    rule !== undefined && rule !== "" && (meaningOf(rule, field, fields, given ?? "any") ?? described)?.isDescribed;
  // Without a column for the rule, a description that is understood is one.
  const typed =
    rule === undefined && described === undefined
      ? meaningOf(given === undefined ? cell : "", field, fields, given)
      : described;
  const meaning = isStrange || isConditional ? undefined : typed;
  const isAny = { text, line, isOptional: isOptional || place.isOptional, isNamed: true, isBox: false };
  if (meaning !== undefined) return checkedLine(field, meaning, isAny);
  const requirement = onlyAsked({ field, required: !isAny.isOptional, description: text });
  return { kind: "asked", text, line, requirement, isNamed: true };
}

/** A line that demands something where Waymark looks for no requirements. */
function notRead({ kind, line, place }: Entry, text: string, isPerhapsApproval: boolean): LineRead[] {
  const isSaid =
    isPerhapsApproval || /\b(?:must|needs?|needed|has to|have to)\b|\b(?:required|evidence|checkpoint):/i.test(text);
  return isSaid && kind !== "heading" && !(kind === "label" && place.asks) ? [{ kind: "not read", text, line }] : [];
}
