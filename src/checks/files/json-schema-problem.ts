import { isObject, parsedJson } from "../../kit/json.ts";
import { compileSchema } from "../rules/json-schema/schema-check.ts";

/** Returns the first problem of a JSON text under a schema, if any; a schema that cannot be used counts as a problem. */
export function findSchemaProblem(schemaText: string, text: string, name: string): string | undefined {
  const schema = parsedJson(schemaText);
  if (!isObject(schema)) return `${name} is not a readable JSON Schema`;
  const check = compileSchema(schema);
  if ("unusable" in check) return `${name} cannot be used: ${check.unusable}`;
  const [first] = check(text);
  return first === undefined ? undefined : `${first.detail}${first.line === undefined ? "" : ` (line ${first.line})`}`;
}
