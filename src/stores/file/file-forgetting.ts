import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Forgetting, Tombstone } from "../../engine/ports/forgetting.ts";
import { unlessIoError } from "../../kit/io-errors.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { removeFile } from "./atomic-file.ts";
import { openHeldContent } from "./held-content.ts";
import { openFile } from "./open-views.ts";
import { readPlain } from "./plain-file.ts";
import { inFolder } from "./safe-folder.ts";
import { engineFolder, sessionPaths, streamPaths, viewPaths } from "./stream-paths.ts";
import { appendLine, readLines } from "./team-lines.ts";
import { isBegun } from "./traced-streams.ts";
import type { AreaMemory } from "./trust/area-memory.ts";

/** Erases histories of a project area; submitted files are in the work tree, and are erased there. */
export function fileForgetting(
  area: string,
  { drop, memory }: { readonly drop: (id: StreamId) => void; readonly memory: AreaMemory | undefined },
): Forgetting {
  const tombstones = join(engineFolder(area), "forgotten", "tombstones.jsonl");
  return {
    async eraseTexts() {},
    async eraseStream(tombstone) {
      const { id } = tombstone;
      drop(id);
      appendLine(tombstones, tombstone); // first: what is half erased is erased again
      memory?.of(id).forget();
      const { journal, marker, checkpoint, heads } = streamPaths(area, id);
      for (const file of [marker, checkpoint, heads]) removeFile(file);
      eraseViews(area, id);
      const held = openHeldContent(area, id);
      if (id.kind === "session" || id.run !== undefined) for (const ref of held.refs()) held.dropAll(ref);
      removeFile(journal);
      return !isBegun(area, id);
    },
    tombstones: async () => readLines(tombstones).lines.flatMap((line) => asTombstone(line)),
  };
}

/** Erases the files that show a stream, and every copy of one. */
export function eraseViews(area: string, id: StreamId): void {
  const views = viewPaths(area, id).flatMap(({ file, shown }) => [file, shown]);
  for (const file of [...views, openFile(area, id), ...copiesKept(area, id), ...copiesInUse(area, id)])
    removeFile(file);
}

/** The spare copies of a stream's views that running processes write the next one into; they do without a missing one. */
function copiesInUse(area: string, id: StreamId): readonly string[] {
  const { tmp } = streamPaths(area, id);
  const mark = id.kind === "session" ? id.name : `"${id.name}.`;
  const names = unlessIoError(() => inFolder(tmp, (at) => readdirSync(at))) ?? [];
  const files = names.map((name) => join(tmp, name));
  return files.filter((file) => unlessIoError(() => readPlain(file))?.includes(mark) === true);
}

/** The copies of a stream's own files that were kept aside. */
function copiesKept(area: string, id: StreamId): readonly string[] {
  const { journal, kept } = streamPaths(area, id);
  const own = [journal, ...(id.kind === "session" ? [sessionPaths(area, id.name).file] : [])];
  const stems = own.map((file) => basename(file).replace(/\.\w+$/, ""));
  const names = unlessIoError(() => inFolder(kept, (at) => readdirSync(at))) ?? [];
  return names.flatMap((name) => {
    const [, stem = ""] = /^(.*)\.\d{4}-\d\d-\d\dT[\d-]+\.\d+Z(?:-\d+)?\.\w+$/.exec(name) ?? [];
    return stems.includes(stem) ? [join(kept, name)] : [];
  });
}

function asTombstone(line: Readonly<Record<string, unknown>>): readonly Tombstone[] {
  const { id, records, head, at, by, reason } = line;
  const isWhole = [head, at, by, reason].every((one) => typeof one === "string") && typeof records === "number";
  return isWhole && isStreamId(id) ? [{ id, records, head, at, by, reason } as Tombstone] : [];
}

function isStreamId(id: unknown): id is StreamId {
  return typeof id === "object" && id !== null && "kind" in id && "name" in id && typeof id.name === "string";
}
