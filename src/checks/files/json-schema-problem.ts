import { isObject } from "../../evidence/json.ts";
import { compileSchema } from "../rules/json-schema/schema-check.ts";

/** Holds a JSON text against the text of a schema: what is wrong first, or nothing. A schema that cannot be used is not satisfied. */
export function findSchemaProblem(schemaText: string, text: string, name: string): string | undefined {
  const schema = parse(schemaText);
  if (!isObject(schema)) return `${name} is no JSON Schema that can be read`;
  const check = compileSchema(schema);
  if ("unusable" in check) return `${name} cannot be used: ${check.unusable}`;
  const [first] = check(text);
  return first === undefined ? undefined : `${first.detail}${first.line === undefined ? "" : ` (line ${first.line})`}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
