import { mkdirSync } from "node:fs";
import { type WrittenFiles, writeSavedFiles } from "../../app/write-content.ts";
import { countText } from "../../kit/count-text.ts";
import { type StreamId, streamName } from "../../workflow/stream-id.ts";
import { oneLine, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, parseRunName, workplaceFor } from "../terminal/workplace-options.ts";

export type ContentOptions = PlaceOptions & { readonly run?: string; readonly json?: true };

/** Writes the saved files of one or every run into a folder, from any store, as submitted. */
export async function exportContent(asked: string | undefined, folder: string, options: ContentOptions): Promise<void> {
  const workplace = workplaceFor(options);
  const run = parseRunName(options.run);
  try {
    mkdirSync(folder, { recursive: true });
    const runs = await writeSavedFiles(workplace, folder, (id) => matchingWorkflow(id, asked, run));
    if (runs.length === 0) throw noFilesError(asked, run);
    if (runs.some(({ files }) => files.some(({ problem }) => problem !== undefined))) process.exitCode = 1;
    if (options.json) printJson(runs.map(({ id, files }) => ({ ...id, files })));
    else report(folder, runs);
  } finally {
    workplace.close();
  }
}

/** Picks the workflow of a stream whose files are requested, or true for all. */
function matchingWorkflow(
  { name, run }: StreamId,
  asked: string | undefined,
  named: string | undefined,
): string | boolean {
  if (named !== undefined && run !== named) return false;
  if (asked === undefined || asked === name) return true;
  return asked.startsWith(`${name}.`) ? asked.slice(name.length + 1) : false;
}

function noFilesError(asked: string | undefined, run: string | undefined): UserError {
  const whose = [...(asked === undefined ? [] : [oneLine(asked)]), ...(run === undefined ? [] : [`run ${run}`])];
  return new UserError(
    whose.length === 0
      ? "No run has saved a file yet, so there is nothing to export."
      : `No file was saved in ${whose.join(", ")}. List the runs with waymark status.`,
  );
}

function report(folder: string, runs: readonly WrittenFiles[]): void {
  for (const { id, files } of runs) {
    const written = files.filter(({ problem }) => problem === undefined);
    print(`${streamName(id)}: ${countText(written.length, "file")} in ${folder}`);
    for (const { path, problem } of files)
      if (problem !== undefined) print(`    ${oneLine(path)} was not written: ${problem}`);
  }
}
