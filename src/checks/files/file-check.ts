import type { CheckResult, FileCheck } from "../../evidence/check.ts";
import { sha256 } from "../../evidence/sha256.ts";
import { readPlain } from "./read-plain.ts";

/** Schemas: what one among the definitions says, and what is wrong with a JSON text by one; undefined where it fits. */
export type CheckSchema = {
  text(schema: string): Promise<string | undefined>;
  problem(schema: Schema, text: string): Promise<string | undefined>;
};

/** A schema by its name among the definitions, and what it says. */
export type Schema = { readonly name: string; readonly text: string };

/** A file that was handed in and is not saved yet: what a check sees must be it. */
export type HandedFile = { readonly path: string; readonly sha256: string };

/** A file check with what its schema says: one that was kept without it is held to what the definitions say now. */
export async function withSchema(check: FileCheck, schemas: CheckSchema): Promise<FileCheck> {
  if (check.schema === undefined || check.schemaText !== undefined) return check;
  return { ...check, schemaText: (await schemas.text(check.schema)) ?? "" };
}

/** Looks whether a file is there, as it stands or as it is handed in, and says what a check wants. Answers with the hash of what it read. */
export async function checkFile(
  area: string,
  check: FileCheck,
  checkSchema: CheckSchema,
  handed?: { readonly text: string } | { readonly problem: string },
): Promise<Pick<CheckResult, "status" | "summary" | "reads">> {
  if (handed !== undefined && "problem" in handed)
    return { status: "failed", summary: `${check.path}: ${handed.problem}`, reads: "" };
  const text = handed?.text ?? (await readPlain(area, check.path));
  if (text === undefined) return { status: "failed", summary: `no plain file stands at ${check.path}`, reads: "" };
  const reads = sha256(text).slice(0, 32);
  const complaints = [
    ...missingHeadings(text, check.headings),
    ...tooShort(text, check.minWords),
    ...(await schemaComplaint(check, text, checkSchema)),
  ];
  if (complaints.length > 0) return { status: "failed", summary: `${check.path}: ${complaints.join("; ")}`, reads };
  return { status: "passed", summary: `${check.path} is there`, reads };
}

/** Says that a check would look at something else than was handed in. */
export function notHandedIn(path: string): string {
  return `${path} in the project area is not what was handed in: write it there first`;
}

function missingHeadings(text: string, wanted: readonly string[]): readonly string[] {
  const plain = (heading: string): string => heading.replace(/[`*_]/g, "").trim().toLowerCase();
  const there = new Set(
    withoutCode(text)
      .flatMap((line) => /^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/.exec(line)?.[1] ?? [])
      .map(plain),
  );
  const missing = wanted.filter((heading) => !there.has(plain(heading)));
  return missing.length === 0 ? [] : [`no heading ${missing.map((heading) => `"${heading}"`).join(", ")}`];
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
  return words >= wanted ? [] : [`it has ${words} words, and ${wanted} are asked for`];
}

async function schemaComplaint(check: FileCheck, text: string, schemas: CheckSchema): Promise<readonly string[]> {
  const { schema: name, schemaText = "" } = await withSchema(check, schemas);
  const complaint = name === undefined ? undefined : await schemas.problem({ name, text: schemaText }, text);
  return complaint === undefined ? [] : [complaint];
}
