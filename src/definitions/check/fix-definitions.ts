import type { FindingCode } from "../codes.ts";
import { rewriteFile } from "../rules/rewrite-file.ts";
import { shownIn } from "../shown.ts";
import { inspectAll } from "./check-definitions.ts";
import type { Noted } from "./finding.ts";
import { mendAll } from "./json-edits.ts";
import { type Surroundings, surveyDefinitions } from "./survey.ts";

/** A file that was mended, or that could not be (`refused` then says why). */
export type Mended = { readonly file: string; readonly codes: readonly FindingCode[]; readonly refused?: string };

/** Mends what can be mended without changing what the engine does; each file is written whole or not at all. */
export async function fixDefinitions(
  definitionsFolder: string,
  surroundings: Surroundings,
): Promise<readonly Mended[]> {
  const survey = surveyDefinitions(definitionsFolder);
  const mendable = inspectAll(survey, surroundings).filter(({ mend }) => mend !== undefined);
  const paths = [...new Set(mendable.map(({ path }) => path))].sort();
  const mended: Mended[] = [];
  for (const path of paths) {
    const here = mendable.filter((noted) => noted.path === path);
    const file = shownIn(survey.definitions, path);
    const codes = [...new Set(here.map(({ code }) => code))].sort();
    const done = await mendFile(survey.definitions, path, here);
    if ("unchanged" in done) continue;
    mended.push("refused" in done ? { file, codes, refused: done.refused } : { file, codes });
  }
  return mended;
}

function mendFile(definitions: string, path: string, noted: readonly Noted[]): ReturnType<typeof rewriteFile> {
  return rewriteFile(definitions, path, (text) => {
    const mended = mendAll(
      text,
      noted.flatMap((one) => one.mend ?? []),
    );
    return mended === text ? { unchanged: true } : { text: mended };
  });
}
