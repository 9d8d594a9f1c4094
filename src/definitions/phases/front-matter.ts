import { isObject } from "../../evidence/json.ts";
import { gateKeys } from "../gates/gate-file.ts";
import { parseYaml } from "../yaml.ts";
import { type Complaint, complaint } from "./complaint.ts";
import type { MarkdownDocument } from "./markdown/markdown.ts";

/** What the front matter of a document says of a gate, where nothing reads it: whoever wrote it means something by it. */
export function misplacedKeys({ frontMatter }: Pick<MarkdownDocument, "frontMatter">, path: string): Complaint[] {
  const yaml = parseYaml(frontMatter);
  const front = "value" in yaml && isObject(yaml.value) ? yaml.value : {};
  const lines = frontMatter.split("\n");
  return [...gateKeys, "evidence"]
    .filter((key) => Object.hasOwn(front, key) && front[key] !== false)
    .map((key) => {
      const at = lines.findIndex((line) => line.startsWith(key) || line.slice(1).startsWith(key));
      const message = `${key} is for the gate, and front matter says nothing of gates`;
      return complaint("gate-unknown-key", path, message, fix, { line: at + 2 });
    });
}

const fix = "Write it into the phase, or into its gate-definition.yaml.";
