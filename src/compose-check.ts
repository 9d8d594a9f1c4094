import { compileGlob } from "./checks/rules/glob.ts";
import { compileSchema } from "./checks/rules/json-schema/schema-check.ts";
import type { Surroundings } from "./definitions/check/survey.ts";
import { listTools } from "./mcp/tool-catalog.ts";

export { checkDefinitions } from "./definitions/check/check-definitions.ts";
export { type Counted, countDefinitions } from "./definitions/check/count-definitions.ts";
export { drawText, layOut } from "./definitions/check/draw.ts";
export { drawMermaid } from "./definitions/check/draw-mermaid.ts";
export { type Explained, type ExplainedPhase, explainWorkflow } from "./definitions/check/explain-workflow.ts";
export type { Finding, Severity } from "./definitions/check/finding.ts";
export { fixDefinitions, type Mended } from "./definitions/check/fix-definitions.ts";

/** What the engine knows about globs, schemas and tools, wired to the linter so that the two cannot disagree. */
export function engineSurroundings(root: string): Surroundings {
  const problemOf = (read: object): string | undefined => ("unusable" in read ? String(read.unusable) : undefined);
  return {
    root,
    globProblem: (glob) => problemOf(compileGlob(glob)),
    schemaProblem: (schema) => problemOf(compileSchema(schema)),
    listTools,
  };
}
