import { frontMatterIn } from "../../kit/front-matter.ts";
import { yaml } from "../../kit/libraries.ts";

/** The front matter of a document. */
export type FrontMatter = {
  readonly title: string | undefined;
  /** In lower case. */
  readonly tags: readonly string[];
  readonly questions: readonly string[];
  /** Other text in the front matter. */
  readonly rest: string;
  readonly belongs: Ownership;
  /** The offset and line where the text after it starts. */
  readonly end: number;
  readonly endLine: number;
  /** A problem for the author, without any text of the document. */
  readonly problem: string | undefined;
};

/** The owner of a document: everyone, a workflow or its phases, or unclear, which hides it from everyone. */
export type Ownership =
  | { readonly kind: "open" }
  | { readonly kind: "owned"; readonly workflow: string | undefined; readonly phases: readonly number[] }
  | { readonly kind: "unclear" };

/** Parses the front matter of a Markdown text; one that names an owner but cannot be read hides the document. */
export function frontMatterOf(text: string): FrontMatter {
  if (tomlOwner.test(tomlHead.exec(text)?.[1] ?? "")) return unclear;
  const { source, end, isClosed } = headOf(text);
  const values = isClosed ? readValues(source) : undefined;
  if (values === undefined) {
    if ((isClosed ? mentionsOwner : namesOwner).test(source) || refersElsewhere.test(source)) return unclear;
    const isBroken = isClosed && /^\s*\{?\s*["']?[\w-]+["']?\s*:/.test(source);
    if (isBroken) return { ...none, end, endLine: lineAt(text, end), problem: unreadable };
    return text.startsWith("\uFEFF") ? { ...none, end: 1 } : none;
  }
  const belongs = ownershipOf(values);
  return {
    title: textOf(values.get("title")),
    tags: listOf(values.get("tags"), /,|\n/).map((tag) => tag.toLowerCase()),
    questions: listOf(values.get("questions"), /\n/),
    rest: [...values].flatMap(([key, value]) => (read.has(key) ? [] : listOf(value, /\n/))).join("\n"),
    belongs,
    end,
    endLine: lineAt(text, end),
    problem: belongs.kind === "unclear" ? unreadable : undefined,
  };
}

/** The raw front matter between its dashes, or what may be it if they are never closed. */
export function headOf(text: string): {
  readonly source: string;
  readonly firstLine: number;
  readonly end: number;
  readonly isClosed: boolean;
} {
  const before = /^\uFEFF?\s*/.exec(text)?.[0].length ?? 0;
  const firstLine = lineAt(text, before) + 1;
  const head = frontMatterIn(text.slice(before));
  if (head === undefined) return { source: unclosed.exec(text)?.[1] ?? "", firstLine, end: 0, isClosed: false };
  return { source: head.source, firstLine, end: before + head.end, isClosed: true };
}

const unclosed = /^\uFEFF?\s*---[ \t]*\r?\n([\s\S]{0,4096})/;
/** TOML is not read, but TOML that names a workflow or phase still restricts the document. */
const tomlHead = /^\uFEFF?\s*\+\+\+[ \t]*\r?\n([\s\S]{0,65536}?)(?:\r?\n\+\+\+|$)/;
const tomlOwner = /^\s*["']?(?:workflow|phases?)["']?\s*=/im;
const namesOwner = /^\s*["']?(?:workflow|phases?)["']?\s*:/im;
const mentionsOwner = /(?:^|[\s{[,?"'])(?:workflow|phases?)["']?\s*:/im;
/** An alias or a merge key, through which an owner may be named without its own line. */
const refersElsewhere = /[:\s[{,?-]\*[^\s,\]}]|<<["']?\s*:/;
const read = new Set(["title", "tags", "questions", "workflow", "phase", "phases"]);
const unreadable = "its front matter cannot be read";
const none: FrontMatter = {
  title: undefined,
  tags: [],
  questions: [],
  rest: "",
  belongs: { kind: "open" },
  end: 0,
  endLine: 1,
  problem: undefined,
};
const unclear: FrontMatter = { ...none, belongs: { kind: "unclear" }, problem: unreadable };

function lineAt(text: string, end: number): number {
  return text.slice(0, end).split("\n").length;
}

function readValues(source: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = yaml().parse(source, { maxAliasCount: 0, logLevel: "error" });
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return new Map(Object.entries(value).map(([key, entry]) => [key.trim().toLowerCase(), entry]));
  } catch {
    return undefined;
  }
}

function ownershipOf(values: ReadonlyMap<string, unknown>): Ownership {
  if (values.has("<<")) return { kind: "unclear" };
  if (!["workflow", "phase", "phases"].some((key) => values.has(key))) return { kind: "open" };
  const workflow = values.get("workflow");
  const named = typeof workflow === "string" ? workflow.trim() : undefined;
  const phases = ["phase", "phases"]
    .flatMap((key) => (values.has(key) ? [values.get(key)].flat() : []))
    .map(phaseNumber);
  const isUnderstood = values.has("workflow") ? named !== undefined && named !== "" : phases.length > 0;
  if (!isUnderstood || phases.includes(undefined)) return { kind: "unclear" };
  return { kind: "owned", workflow: named, phases: phases.filter((phase) => phase !== undefined) };
}

function phaseNumber(value: unknown): number | undefined {
  const [, digits] = /^(?:phase[ _-]*)?(\d{1,6})$/i.exec(String(value).trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function listOf(value: unknown, between: RegExp): string[] {
  const items =
    typeof value === "string" ? value.split(between) : [value].flat(3).flatMap((item) => textOf(item) ?? []);
  return items.map((item) => item.trim()).filter((item) => item !== "");
}
