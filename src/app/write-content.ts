import { allSavedFiles, readSavedFile, type SavedText } from "../engine/saved-files.ts";
import { engineOf } from "../engine/workplace.ts";
import { defined } from "../kit/defined.ts";
import { saveNewFile } from "../stores/file/content-file.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { OpenedWorkplace } from "./open-workplace.ts";

/** The files that a stream has saved, and the result of writing each. */
export type WrittenFiles = {
  readonly id: StreamId;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly problem?: string }[];
};

/** Writes the saved files of streams into a folder; `meant` selects streams and workflows. An existing file with other content is left alone. */
export async function writeSavedFiles(
  workplace: OpenedWorkplace,
  folder: string,
  meant: (id: StreamId) => string | boolean,
): Promise<readonly WrittenFiles[]> {
  const written: WrittenFiles[] = [];
  for (const { log, content } of await workplace.logs()) {
    for (const id of await log.streams()) {
      const of = meant(id);
      if (of === false) continue;
      const workflow = of === true ? undefined : of;
      const parts = { id, log, content };
      const read =
        (await engineOf(workplace, id))?.readSaved ?? ((path: string) => readSavedFile(parts, path, workflow));
      const files: WrittenFiles["files"][number][] = [];
      for (const { record } of await allSavedFiles(parts, workflow)) {
        const { path, sha256 } = record;
        const problem = write(folder, path, await read(path, workflow));
        files.push({ path, sha256, ...defined({ problem }) });
      }
      if (files.length > 0) written.push({ id, files });
    }
  }
  return written;
}

function write(folder: string, path: string, read: SavedText | undefined): string | undefined {
  if (read === undefined) return "it does not exist";
  return "problem" in read ? read.problem : saveNewFile(folder, path, Buffer.from(read.text));
}
