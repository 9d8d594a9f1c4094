import { digestOf } from "../kit/json.ts";
import { sha256 } from "../kit/sha256.ts";
import type { Check, FileCheck } from "./check.ts";
import { canonicalText, checkMeaning } from "./check-verdict.ts";

/** Hashes what a file check requires, including its schema's meaning. */
export function fileDefinition(check: FileCheck): string {
  const { schema } = check;
  return canonicalText(schema === undefined ? checkMeaning(check) : [checkMeaning(check), schemaMeaning(check)]);
}

/** Tells if a recorded result belongs to this check; older records name a schema by its text. */
export function isOfFileCheck(check: FileCheck, { definition }: { readonly definition: string }): boolean {
  if (definition === fileDefinition(check)) return true;
  return (
    check.schema !== undefined && definition === canonicalText([checkMeaning(check), sha256(check.schemaText ?? "")])
  );
}

/** Hashes the meaning of the checks' schemas; undefined if there are none, so that such gates keep their form. */
export function schemasMeaning(checks: readonly Check[] = []): string | undefined {
  const said = checks.flatMap((check) =>
    check.kind === "file" && check.schema !== undefined ? [[check.name, schemaMeaning(check)] as const] : [],
  );
  return said.length === 0 ? undefined : canonicalText(Object.fromEntries(said));
}

/** The schema's meaning independent of key order; its text if it is not JSON. */
function schemaMeaning({ schemaText = "" }: FileCheck): string {
  try {
    return digestOf(JSON.parse(schemaText));
  } catch {
    return digestOf(schemaText);
  }
}
