import { sha256 } from "../kit/sha256.ts";
import type { FileCheck } from "./check.ts";
import { canonicalText, checkMeaning } from "./check-verdict.ts";
import { schemaMeaning } from "./gate-meaning.ts";

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
