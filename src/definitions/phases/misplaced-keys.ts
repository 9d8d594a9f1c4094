import { isObject, type JsonObject } from "../../kit/json.ts";
import { parseYaml } from "../files/yaml.ts";
import { gateKeys } from "../gates/gate-file.ts";
import type { MarkdownDocument } from "./markdown/markdown.ts";
import { type WorkflowProblem, workflowProblem } from "./workflow-problem.ts";

/** Reports gate keys in front matter, where nothing reads them. */
export function misplacedKeys(document: Pick<MarkdownDocument, "frontMatter">, path: string): WorkflowProblem[] {
  const front = frontMatterValues(document);
  const lines = document.frontMatter.split("\n");
  return [...gateKeys, "evidence"]
    .filter((key) => Object.hasOwn(front, key) && front[key] !== false)
    .map((key) => {
      const at = lines.findIndex((line) => line.startsWith(key) || line.slice(1).startsWith(key));
      const message = `${key} belongs in the gate, not in front matter`;
      return workflowProblem("gate-unknown-key", path, message, fix, { line: at + 2 });
    });
}

/** The values in a document's front matter; none if it cannot be parsed. */
export function frontMatterValues({ frontMatter }: Pick<MarkdownDocument, "frontMatter">): JsonObject {
  const yaml = parseYaml(frontMatter);
  return "value" in yaml && isObject(yaml.value) ? yaml.value : {};
}

const fix = "Move it into the phase or its gate-definition.yaml.";
