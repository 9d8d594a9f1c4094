import { yamlMapping } from "../files/yaml.ts";
import { gateKeys } from "../gates/gate-file.ts";
import type { MarkdownDocument } from "./markdown/markdown.ts";
import { type WorkflowProblem, workflowProblem } from "./workflow-problem.ts";

/** Reports gate keys in front matter, where nothing reads them. */
export function misplacedKeys({ frontMatter }: Pick<MarkdownDocument, "frontMatter">, path: string): WorkflowProblem[] {
  const front = yamlMapping(frontMatter);
  const lines = frontMatter.split("\n");
  return [...new Set([...gateKeys, "evidence", "when", "then", "for_each"])]
    .filter((key) => Object.hasOwn(front, key) && front[key] !== false)
    .map((key) => {
      const at = lines.findIndex((line) => line.startsWith(key) || line.slice(1).startsWith(key));
      const message = `${key} belongs in the gate, not in front matter`;
      return workflowProblem("gate-unknown-key", path, message, fix, { line: at + 2 });
    });
}

const fix = "Move it into the phase or its gate-definition.yaml.";
