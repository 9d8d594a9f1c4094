import type { FindingCode } from "../definitions/finding-codes.ts";
import { rewriteFile } from "../definitions/rules/rewrite-file.ts";
import { displayPath } from "../definitions/snapshot/display-path.ts";
import type { DefinitionSnapshot } from "../engine/ports/definition-snapshot.ts";
import { applyFileEdits } from "./apply-edits.ts";
import { inspectAll } from "./check-definitions.ts";
import { type CheckContext, loadForCheck } from "./load-for-check.ts";
import type { ReportedFinding } from "./reported-finding.ts";

/** A file that `--fix` changed, or could not change (`refused` says why). */
export type FixedFile = { readonly file: string; readonly codes: readonly FindingCode[]; readonly refused?: string };

/** Applies every edit that does not change what the bots do; each file is written whole or not at all. */
export async function fixDefinitions(
  definitions: DefinitionSnapshot,
  surroundings: CheckContext,
): Promise<readonly FixedFile[]> {
  const survey = loadForCheck(definitions);
  const fixable = inspectAll(survey, surroundings).filter(({ edit }) => edit !== undefined);
  const paths = [...new Set(fixable.map(({ path }) => path))].sort();
  const fixed: FixedFile[] = [];
  for (const path of paths) {
    const here = fixable.filter((noted) => noted.path === path);
    const file = displayPath(definitions.folder, path);
    const codes = [...new Set(here.map(({ code }) => code))].sort();
    const done = await fixFile(definitions.folder, path, here);
    if ("unchanged" in done) continue;
    fixed.push("refused" in done ? { file, codes, refused: done.refused } : { file, codes });
  }
  return fixed;
}

function fixFile(definitions: string, path: string, noted: readonly ReportedFinding[]): ReturnType<typeof rewriteFile> {
  return rewriteFile(definitions, path, (text) => {
    const edited = applyFileEdits(
      text,
      noted.flatMap((one) => one.edit ?? []),
    );
    if ("problem" in edited) return { refused: edited.problem };
    return edited.text === text ? { unchanged: true } : edited;
  });
}
