import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isObject, type Json } from "../../kit/json.ts";
import { readJson } from "./json-file.ts";
import type { JsonPath } from "./json-locations.ts";

/** The value of a JSON file; undefined if it is missing or unreadable, which has its own finding. */
export function valueIn(definitions: DefinitionSnapshot, path: string): Json | undefined {
  const read = readJson(definitions, path);
  return "value" in read ? read.value : undefined;
}

/** The value at a path of a document. */
export function valueAt(document: Json | undefined, path: JsonPath): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isObject(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
  }, document);
}
