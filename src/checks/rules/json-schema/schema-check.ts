import { defined } from "../../../kit/defined.ts";
import type { Json, JsonObject } from "../../../kit/json.ts";
import { type Budget, makeBudget } from "../../budget.ts";
import { collectFindings, type Finding, type Unusable } from "../finding.ts";
import { inspectSchema } from "./inspect-schema.ts";
import { lineOfParseError, linesOfPointers } from "./json-lines.ts";
import { isDeeperThan } from "./json-values.ts";
import { findMismatches } from "./validate.ts";

const largest = 10_000_000;
const deepest = 100;

/** Compiles a schema check for JSON files. Fetches nothing, generates no code, and bounds patterns and steps, so no schema can block the server. */
export function compileSchema(schema: JsonObject): ((text: string, budget?: Budget) => Finding[]) | Unusable {
  const ready = inspectSchema(schema);
  if ("unusable" in ready) return ready;
  return (text, budget = makeBudget()) => {
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
      findings.add({ detail: `${pointer || "the document"} ${message}`, ...defined({ line }) });
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
    return { finding: { detail: `is not valid JSON: ${reason}`, ...defined({ line }) } };
  }
}
