import type { Code } from "mdast";
import type { Requirement } from "../../../gates/gate.ts";
import { isObject, type JsonObject } from "../../../kit/json.ts";
import { parseYaml } from "../../files/yaml.ts";
import { kindOfContext } from "../markdown/context-kind.ts";
import type { Block } from "../markdown/document-blocks.ts";

/** Collects what the documents show as an example of what must be there. */
export function examplesIn(blocks: readonly Block[], requirements: readonly Requirement[]): JsonObject {
  const wanted = new Set(requirements.filter(({ required }) => required).map(({ field }) => field));
  const shown = blocks.flatMap((block): JsonObject[] => {
    if (block.kind !== "code" || kindOfContext(block.place) !== "example") return [];
    return [Object.fromEntries(Object.entries(dataIn(block.code)).filter(([field]) => wanted.has(field)))];
  });
  // The first that is shown of a field counts.
  return Object.assign({}, ...shown.reverse());
}

/** The data in a fence, JSON being YAML; of a whole call the evidence in it. */
function dataIn({ value: text, lang }: Code): JsonObject {
  const isData = ["json", "jsonc", "json5", "yaml", "yml", ""].includes(lang?.toLowerCase() ?? "");
  const read = isData ? parseYaml(text) : { value: undefined };
  if (!("value" in read) || !isObject(read.value)) return {};
  return isObject(read.value.evidence) ? read.value.evidence : read.value;
}
