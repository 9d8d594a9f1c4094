import type { RootContent } from "mdast";
import type { Requirement } from "../../../gates/gate.ts";
import { isObject, type JsonObject } from "../../../kit/json.ts";
import { yamlMapping } from "../../files/yaml.ts";

/** Collects the values that data in a document's code blocks shows for fields that are asked for. */
export function examplesIn(nodes: readonly RootContent[], requirements: readonly Requirement[]): JsonObject {
  const wanted = new Set(requirements.map(({ field }) => field));
  const shown = nodes.flatMap((node): JsonObject[] => {
    if (node.type === "blockquote" || node.type === "list")
      return [
        examplesIn(
          node.children.flatMap((one) => (one.type === "listItem" ? one.children : [one])),
          requirements,
        ),
      ];
    if (node.type !== "code" || !["json", "jsonc", "json5", "yaml", "yml", ""].includes(node.lang?.toLowerCase() ?? ""))
      return [];
    const data = yamlMapping(node.value);
    const evidence = isObject(data.evidence) ? data.evidence : data;
    return [Object.fromEntries(Object.entries(evidence).filter(([field]) => wanted.has(field)))];
  });
  // The first that is shown of a field counts.
  return Object.assign({}, ...shown.reverse());
}
