import type { Json, JsonObject } from "../../../evidence/json.ts";
import { type Budget, budgetOf } from "../../budget.ts";
import { collectFindings, type Finding, type Unusable } from "../finding.ts";
import { inspectSchema } from "./inspect.ts";
import { lineOfParseError, linesOfPointers } from "./locate.ts";
import { findMismatches } from "./validate.ts";
import { isDeeperThan } from "./values.ts";

const largest = 10_000_000;
const deepest = 100;

/**
 * Prepares the check of a JSON file by a schema. Nothing is fetched, no code is generated, and both patterns and steps are
 * bounded, so that no schema can hold up the server.
 */
export function compileSchema(schema: JsonObject): ((text: string, budget?: Budget) => Finding[]) | Unusable {
  const ready = inspectSchema(schema);
  if ("unusable" in ready) return ready;
  return (text, budget = budgetOf()) => {
    if (text.length > largest) return [{ detail: `cannot be checked: longer than ${largest} characters` }];
    const parsed = parse(text);
    if ("finding" in parsed) return [parsed.finding];
    if (isDeeperThan(deepest, parsed.document)) return [{ detail: `is nested deeper than ${deepest} levels` }];
    const mismatches = findMismatches(ready, parsed.document, budget);
    if (mismatches === undefined) return [{ detail: "cannot be checked: file and schema together are too large" }];
    const lines = linesOfPointers(text, new Set(mismatches.slice(0, 20).map(({ pointer }) => pointer)));
    const findings = collectFindings();
    for (const { pointer, message } of mismatches) {
      const line = lines.get(pointer);
      findings.add({ detail: `${pointer || "the document"} ${message}`, ...(line === undefined ? {} : { line }) });
    }
    return findings.all();
  };
}

function parse(text: string): { readonly document: Json } | { readonly finding: Finding } {
  try {
    const document: Json = JSON.parse(text);
    return { document };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const line = lineOfParseError(text);
    const reason = message.replace(/, (\.{3})?"[\s\S]*$/, "");
    return { finding: { detail: `is not valid JSON: ${reason}`, ...(line === undefined ? {} : { line }) } };
  }
}
