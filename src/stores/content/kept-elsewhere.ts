import type { Content, DeskId } from "../../engine/ports.ts";
import type { StepRef } from "../../workflow/events.ts";

/** What keeps texts for a step besides the files. */
export type Keeper = Pick<Content, "save" | "read" | "recall"> & {
  keep(id: DeskId, ref: StepRef, texts: readonly string[]): Promise<void>;
};

/** The content of a work tree whose texts are kept elsewhere as well: the files stay the ones that count, and what is not at hand here is read from there. */
export function keptElsewhere(files: Content, keeper: Keeper): Content {
  const { recall } = keeper;
  return {
    ...(recall === undefined ? {} : { recall: (hash: string) => recall(hash) }),
    nameOf: (written) => files.nameOf(written),
    async hold(id, ref, items, onFault) {
      const held = await files.hold(id, ref, items, onFault);
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

/** Nothing stands here: whatever does was put there by somebody, and is not looked past. */
function isAbsent(file: Awaited<ReturnType<Content["read"]>>[number] | undefined): boolean {
  return file !== undefined && "problem" in file && file.isNew;
}
