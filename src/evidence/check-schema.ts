import type { Check, FileCheck } from "./check.ts";
import { checkMeaning, nameOf } from "./check-verdict.ts";
import { digestOf } from "./json.ts";
import { sha256 } from "./sha256.ts";

/** Names a file check by what it asks for; a schema belongs to it by what it says. */
export function fileDefinition(check: FileCheck): string {
  const { schema } = check;
  return nameOf(schema === undefined ? checkMeaning(check) : [checkMeaning(check), schemaMeaning(check)]);
}

/** Whether a result on record is of this very check; records of before name a schema by its text, whatever that means. */
export function isOfFileCheck(check: FileCheck, { definition }: { readonly definition: string }): boolean {
  if (definition === fileDefinition(check)) return true;
  return check.schema !== undefined && definition === nameOf([checkMeaning(check), sha256(check.schemaText ?? "")]);
}

/** Names what the schemas of checks say; undefined where none has one, so that what has none is judged by what it always was. */
export function schemasMeaning(checks: readonly Check[] = []): string | undefined {
  const said = checks.flatMap((check) =>
    check.kind === "file" && check.schema !== undefined ? [[check.name, schemaMeaning(check)] as const] : [],
  );
  return said.length === 0 ? undefined : nameOf(Object.fromEntries(said));
}

/** What a schema says, whatever the order of its keys; its text, where that is no JSON. */
function schemaMeaning({ schemaText = "" }: FileCheck): string {
  try {
    return digestOf(JSON.parse(schemaText));
  } catch {
    return digestOf(schemaText);
  }
}
