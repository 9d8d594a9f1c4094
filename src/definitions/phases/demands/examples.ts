import { isObject, type Json, type JsonObject } from "../../../evidence/json.ts";
import { parseYaml } from "../../yaml.ts";
import type { Block } from "../markdown/blocks.ts";
import { kindOfPlace } from "../markdown/places.ts";

/** Collects what the documents show as an example, for some fields. */
export function examplesIn(blocks: readonly Block[], fields: readonly string[]): JsonObject {
  const wanted = new Set(fields);
  const found = new Map<string, Json>();
  for (const block of blocks) {
    if (block.kind !== "code" || kindOfPlace(block.place) !== "example") continue;
    for (const [field, value] of Object.entries(dataIn(block.code.value, block.code.lang ?? ""))) {
      if (wanted.has(field) && !found.has(field)) found.set(field, value);
    }
  }
  return Object.fromEntries(found);
}

/** The data in a fence, by its language; of a whole call the evidence in it. */
function dataIn(text: string, language: string): JsonObject {
  const isYaml = ["yaml", "yml"].includes(language.toLowerCase());
  const isJson = ["json", "jsonc", "json5", ""].includes(language.toLowerCase());
  const value = isYaml ? yamlIn(text) : isJson ? parseJson(text) : undefined;
  if (!isObject(value)) return {};
  return isObject(value.evidence) ? value.evidence : value;
}

function parseJson(text: string): unknown {
  if (text.length > 100_000) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function yamlIn(text: string): unknown {
  const read = parseYaml(text);
  return "value" in read ? read.value : undefined;
}
