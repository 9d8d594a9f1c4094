import type { Content } from "../../engine/ports/content.ts";
import { defined } from "../../kit/defined.ts";
import type { StepRef } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";

/** A second store for a step's texts. */
export type ContentMirror = Pick<Content, "save" | "read" | "readByHash"> & {
  keep(id: StreamId, ref: StepRef, texts: readonly string[]): Promise<void>;
};

/** The content of a work tree with a second store: the files count, and missing texts are read from there. */
export function mirrorContent(files: Content, keeper: ContentMirror): Content {
  const { readByHash } = keeper;
  const { currentText, filesIn } = files;
  return {
    ...defined({ currentText, filesIn }),
    ...(readByHash === undefined ? {} : { readByHash: (hash: string) => readByHash(hash) }),
    normalizePath: (written) => files.normalizePath(written),
    async hold(id, ref, items) {
      const held = await files.hold(id, ref, items);
      if ("records" in held)
        await keeper.keep(
          id,
          ref,
          items.flatMap(({ text }) => (text === undefined ? [] : [text])),
        );
      return held;
    },
    async save(id, ref, records) {
      const warnings = await files.save(id, ref, records);
      await keeper.save(id, ref, records);
      return warnings;
    },
    async saveLeftOvers(id, isCompleted) {
      return files.saveLeftOvers(id, async (ref) => {
        const records = await isCompleted(ref);
        if (records !== undefined) await keeper.save(id, ref, records);
        return records;
      });
    },
    async read(id, ref, records) {
      const found = await files.read(id, ref, records);
      const absent = records.filter((_, index) => isAbsent(found[index]));
      if (absent.length === 0) return found;
      const there = new Map((await keeper.read(id, ref, absent)).map((file) => [file.path, file]));
      return found.map((file) => {
        const other = isAbsent(file) ? there.get(file.path) : undefined;
        return other !== undefined && "text" in other ? { ...other, isNew: file.isNew } : file;
      });
    },
  };
}

/** Tells if nothing is at the path; a file someone put there is never skipped. */
function isAbsent(file: Awaited<ReturnType<Content["read"]>>[number] | undefined): boolean {
  return file !== undefined && "problem" in file && file.isNew;
}
