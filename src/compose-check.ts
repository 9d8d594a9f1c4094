import { join } from "node:path";
import { compileGlob } from "./checks/rules/glob.ts";
import { compileSchema } from "./checks/rules/json-schema/schema-check.ts";
import type { Surroundings } from "./definitions/check/survey.ts";
import { shownIn } from "./definitions/shown.ts";
import { listTools } from "./mcp/tool-catalog.ts";
import { readApprovers } from "./people/approvers-file.ts";
import { authorsView } from "./retrieval/authors-view.ts";
import type { Findability } from "./retrieval/findability.ts";

export { checkDefinitions } from "./definitions/check/check-definitions.ts";
export type { Finding, RankedFinding } from "./definitions/check/finding.ts";
export { fixDefinitions, type Mended } from "./definitions/check/fix-definitions.ts";
export { rankFindings } from "./definitions/check/rank-findings.ts";
export type { Severity } from "./definitions/codes.ts";
export { type Counted, countDefinitions } from "./definitions/show/count-definitions.ts";
export { drawText, layOut } from "./definitions/show/draw.ts";
export { drawMermaid } from "./definitions/show/draw-mermaid.ts";
export { type Explained, type ExplainedPhase, explainWorkflow } from "./definitions/show/explain-workflow.ts";
export { proseGates } from "./definitions/show/prose-gates.ts";
export { writeGates } from "./definitions/show/write-gates.ts";
export { readInside } from "./definitions/stand.ts";

/** Asks the standards of a definitions folder the questions that they list; files as they stand from the workspace. */
export async function askStandards(definitions: string): Promise<Findability> {
  const { findabilityIn } = await import("./retrieval/findability.ts");
  const folder = join(definitions, "standards");
  const shown = (file: string): string => shownIn(definitions, join(folder, file));
  const { missed, ...asked } = await findabilityIn(folder);
  return { ...asked, missed: missed.map((one) => ({ ...one, file: shown(one.file), found: one.found.map(shown) })) };
}

/** What the engine knows about globs, schemas, tools, standards and approvers, wired to the linter so that the two cannot disagree. */
export async function engineSurroundings(root: string, definitions: string): Promise<Surroundings> {
  const problemOf = (read: object): string | undefined => ("unusable" in read ? String(read.unusable) : undefined);
  const approvers = await readApprovers(definitions);
  return {
    root,
    globProblem: (glob) => problemOf(compileGlob(glob)),
    schemaProblem: (schema) => problemOf(compileSchema(schema)),
    listTools,
    standards: await authorsView(join(definitions, "standards")),
    approvers: "problem" in approvers ? approvers : approvers.map(({ name }) => name),
  };
}
