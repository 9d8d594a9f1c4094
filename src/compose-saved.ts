import type { OpenedWorkplace } from "./compose.ts";
import type { Engine } from "./engine/engine.ts";
import type { DeskId } from "./engine/ports.ts";
import { type ReadSaved, readSavedAt, savedEver } from "./engine/saved-files.ts";
import { saveNewFile } from "./stores/file/content-file.ts";

/** What became of the files that a desk has saved. */
export type SavedElsewhere = {
  readonly id: DeskId;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly problem?: string }[];
};

/** Writes what desks have saved into a folder, each path below it; `meant` says of which desks, and of which of their workflows. A file that stands there and says something else is left alone. */
export async function writeSaved(
  workplace: OpenedWorkplace,
  folder: string,
  meant: (id: DeskId) => string | boolean,
): Promise<readonly SavedElsewhere[]> {
  const written: SavedElsewhere[] = [];
  for (const { log, content } of await workplace.logs()) {
    for (const id of await log.desks()) {
      const of = meant(id);
      if (of === false) continue;
      const workflow = of === true ? undefined : of;
      const parts = { id, log, content };
      const read = (await readerOf(workplace, id)) ?? ((path: string) => readSavedAt(parts, path, workflow));
      const files: SavedElsewhere["files"][number][] = [];
      for (const { record } of await savedEver(parts, workflow)) {
        const { path, sha256 } = record;
        const problem = write(folder, path, await read(path, workflow));
        files.push({ path, sha256, ...(problem === undefined ? {} : { problem }) });
      }
      if (files.length > 0) written.push({ id, files });
    }
  }
  return written;
}

/** A run at work knows which work tree has its files; of one that nothing serves any more the files are the project's. */
async function readerOf(
  workplace: OpenedWorkplace,
  { kind, name, run }: DeskId,
): Promise<Engine["readSaved"] | undefined> {
  if (kind === "session") return (await workplace.sessions.find(name))?.readSaved;
  const isServed = (await workplace.bots()).bots.some((bot) => bot.name === name);
  return isServed ? (await workplace.engine(name, run)).readSaved : undefined;
}

function write(folder: string, path: string, read: ReadSaved | undefined): string | undefined {
  if (read === undefined) return "it is not there";
  return "problem" in read ? read.problem : saveNewFile(folder, path, Buffer.from(read.text));
}
