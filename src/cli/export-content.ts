import { mkdirSync } from "node:fs";
import { deskName } from "../audit/desk-name.ts";
import { type SavedElsewhere, writeSaved } from "../compose-saved.ts";
import type { DeskId } from "../engine/ports.ts";
import { UserFault } from "./fault.ts";
import { plain, print, printJson } from "./print.ts";
import { type PlaceOptions, runNamed, workplaceFor } from "./workplace.ts";

export type ContentAsked = PlaceOptions & { readonly run?: string; readonly json?: true };

/** Writes the files that a run has saved, or every run, into a folder: from whatever store, as they were handed in. */
export async function exportContent(asked: string | undefined, folder: string, options: ContentAsked): Promise<void> {
  const workplace = workplaceFor(options);
  const run = runNamed(options.run);
  try {
    mkdirSync(folder, { recursive: true });
    const runs = await writeSaved(workplace, folder, (id) => meant(id, asked, run));
    if (runs.length === 0) throw nothing(asked, run);
    if (runs.some(({ files }) => files.some(({ problem }) => problem !== undefined))) process.exitCode = 1;
    if (options.json) printJson(runs.map(({ id, files }) => ({ ...id, files })));
    else report(folder, runs);
  } finally {
    workplace.close();
  }
}

/** Of which workflow of a desk the files are meant: all of them for `true`. */
function meant({ kind, name, run }: DeskId, asked: string | undefined, named: string | undefined): string | boolean {
  if (named !== undefined && run !== named) return false;
  if (asked === undefined || asked === name) return true;
  return kind === "bot" && asked.startsWith(`${name}.`) ? asked.slice(name.length + 1) : false;
}

function nothing(asked: string | undefined, run: string | undefined): UserFault {
  const whose = [...(asked === undefined ? [] : [plain(asked)]), ...(run === undefined ? [] : [`run ${run}`])];
  return new UserFault(
    whose.length === 0
      ? "No run has saved a file yet: there is nothing to write."
      : `No file was saved in ${whose.join(", ")}. waymark status lists the runs.`,
  );
}

function report(folder: string, runs: readonly SavedElsewhere[]): void {
  for (const { id, files } of runs) {
    const written = files.filter(({ problem }) => problem === undefined);
    print(`${deskName(id)}: ${written.length} file(s) in ${folder}`);
    for (const { path, problem } of files)
      if (problem !== undefined) print(`    ${plain(path)} was not written: ${problem}`);
  }
}
