import type { CheckResult, FileCheck } from "../../gates/check.ts";
import { sha256 } from "../../kit/sha256.ts";
import { readPlain } from "./read-plain.ts";

/** Reads schemas from the definitions and validates JSON texts with them; undefined if a text is valid. */
export type CheckSchema = {
  text(schema: string): Promise<string | undefined>;
  problem(schema: Schema, text: string): Promise<string | undefined>;
};

/** A schema of the definitions, with its text. */
export type Schema = { readonly name: string; readonly text: string };

/** A submitted file that is not saved yet; the check must see it. */
export type SubmittedFile = { readonly path: string; readonly sha256: string };

/** The check with its schema's text; an older copy without one uses the current definitions. */
export async function withSchema(check: FileCheck, schemas: CheckSchema): Promise<FileCheck> {
  if (check.schema === undefined || check.schemaText !== undefined) return check;
  return { ...check, schemaText: (await schemas.text(check.schema)) ?? "" };
}

/** Checks that a file exists, on disk or as submitted, and meets the check; returns the hash of what it read. */
export async function checkFile(
  area: string,
  check: FileCheck,
  checkSchema: CheckSchema,
  submitted?: { readonly text: string } | { readonly problem: string },
): Promise<Pick<CheckResult, "status" | "summary" | "reads">> {
  if (submitted !== undefined && "problem" in submitted)
    return { status: "failed", summary: `${check.path}: ${submitted.problem}`, reads: "" };
  const text = submitted?.text ?? (await readPlain(area, check.path));
  if (text === undefined) return { status: "failed", summary: `${check.path} does not exist`, reads: "" };
  const reads = sha256(text).slice(0, 32);
  const complaints = [
    ...missingHeadings(text, check.headings),
    ...tooShort(text, check.minWords),
    ...(await schemaComplaint(check, text, checkSchema)),
  ];
  if (complaints.length > 0) return { status: "failed", summary: `${check.path}: ${complaints.join("; ")}`, reads };
  return { status: "passed", summary: `${check.path} exists`, reads };
}

/** The message that the file on disk differs from the submission. */
export function notSubmitted(path: string): string {
  return `${path} in the project area differs from the submission: write it there first`;
}

function missingHeadings(text: string, wanted: readonly string[]): readonly string[] {
  const plain = (heading: string): string => heading.replace(/[`*_]/g, "").trim().toLowerCase();
  const there = new Set(
    withoutCode(text)
      .flatMap((line) => /^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/.exec(line)?.[1] ?? [])
      .map(plain),
  );
  const missing = wanted.filter((heading) => !there.has(plain(heading)));
  return missing.length === 0
    ? []
    : [
        `missing ${missing.length === 1 ? "heading" : "headings"} ${missing.map((heading) => `"${heading}"`).join(", ")}`,
      ];
}

function withoutCode(text: string): string[] {
  let fence: string | undefined;
  return text.split(/\r?\n/).filter((line) => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) {
      fence = mark;
      return mark === undefined;
    }
    if (mark?.startsWith(fence) === true && /^[`~\s]*$/.test(line)) fence = undefined;
    return false;
  });
}

function tooShort(text: string, wanted: number | undefined): readonly string[] {
  if (wanted === undefined) return [];
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu)?.length ?? 0;
  return words >= wanted ? [] : [`it has ${words} words; at least ${wanted} are required`];
}

async function schemaComplaint(check: FileCheck, text: string, schemas: CheckSchema): Promise<readonly string[]> {
  const { schema: name, schemaText = "" } = await withSchema(check, schemas);
  const complaint = name === undefined ? undefined : await schemas.problem({ name, text: schemaText }, text);
  return complaint === undefined ? [] : [complaint];
}
