import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compileGlob } from "../checks/rules/glob.ts";
import { compileSchema } from "../checks/rules/json-schema/schema-check.ts";
import type { PhasedWorkflow } from "../definitions/phases/phased-workflow.ts";
import { displayPath } from "../definitions/snapshot/display-path.ts";
import type { DefinitionSnapshot } from "../engine/ports/definition-snapshot.ts";
import { sha256 } from "../kit/sha256.ts";
import type { CheckContext } from "../lint/load-for-check.ts";
import { listBotTools } from "../mcp/registry.ts";
import { readApprovers } from "../people/approvers-file.ts";
import type { Findability } from "../retrieval/measure-findability.ts";
import { reviewStandards } from "../retrieval/review-standards.ts";

export type { Severity } from "../definitions/finding-codes.ts";
export { readSnapshot } from "../definitions/snapshot/keep-snapshot.ts";
export { type Draft, readDraft } from "../lint/adopt/read-draft.ts";
export { checkDefinitions } from "../lint/check-definitions.ts";
export { type FixedFile, fixDefinitions } from "../lint/fix-definitions.ts";
export { rankFindings } from "../lint/rank-findings.ts";
export type { Finding, RankedFinding } from "../lint/reported-finding.ts";
export { countDefinitions, type DefinitionCounts } from "../lint/show/count-definitions.ts";
export { drawMermaid } from "../lint/show/draw-mermaid.ts";
export { drawnBehaviors, drawText } from "../lint/show/draw-sequences.ts";
export {
  countEchoes,
  type EchoCounts,
  type EchoedLine,
  echoDraft,
  echoPage,
  rewritePage,
} from "../lint/show/echo-page.ts";
export {
  type Explained,
  type ExplainedPhase,
  type ExplainedRoute,
  explainAll,
  explainWorkflow,
} from "../lint/show/explain-workflow.ts";
export { writeGates } from "../lint/show/write-gates.ts";

/** Runs the standards' own questions against them; files are named relative to the workspace. */
export async function askStandards(definitions: DefinitionSnapshot): Promise<Findability> {
  const { findabilityIn } = await import("../retrieval/measure-findability.ts");
  const { folder } = definitions;
  const shown = (file: string): string => displayPath(folder, join(folder, "standards", file));
  const { missed, ...asked } = await findabilityIn(definitions);
  return { ...asked, missed: missed.map((one) => ({ ...one, file: shown(one.file), found: one.found.map(shown) })) };
}

/** The engine's knowledge of globs, schemas, tools, standards and approvers, so that the linter cannot disagree with it. */
export async function engineSurroundings(definitions: DefinitionSnapshot, root: string): Promise<CheckContext> {
  const problemOf = (read: object): string | undefined => ("unusable" in read ? String(read.unusable) : undefined);
  const approvers = await readApprovers(definitions.folder);
  return {
    root,
    globProblem: (glob) => problemOf(compileGlob(glob)),
    schemaProblem: (schema) => problemOf(compileSchema(schema)),
    listTools: listBotTools,
    standards: await reviewStandards(definitions),
    approvers: "problem" in approvers ? approvers : approvers.map(({ name }) => name),
    pinned: await pinnedWorkflows(join(definitions.folder, "pinned")),
  };
}

/** The copies of workflows in a folder of pins, without those that were changed. */
async function pinnedWorkflows(folder: string): Promise<readonly PhasedWorkflow[]> {
  const names = await readdir(folder).catch(() => []);
  const read = names
    .filter((name) => name.endsWith(".json"))
    .map(async (name): Promise<readonly PhasedWorkflow[]> => {
      const text = await readFile(join(folder, name), "utf8").catch(() => "");
      return `${sha256(text)}.json` === name ? [JSON.parse(text)] : [];
    });
  return (await Promise.all(read)).flat();
}
