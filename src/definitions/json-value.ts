import { isObject, type Json } from "../evidence/json.ts";
import { readJson } from "./json-file.ts";
import type { JsonPath } from "./json-place.ts";

/** What a JSON file says; undefined where it is not there or cannot be read, which has a finding of its own. */
export function valueIn(path: string): Json | undefined {
  const read = readJson(path);
  return "value" in read ? read.value : undefined;
}

/** What stands at a path of a document. */
export function valueAt(document: Json | undefined, path: JsonPath): Json | undefined {
  return path.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isObject(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
  }, document);
}
