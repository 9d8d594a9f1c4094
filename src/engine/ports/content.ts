import type { ContentRecord, ReadableMark, StepRef } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";

/** Submitted content: its text, or the path of an existing file. A readable record picks a free name itself and is marked on record. */
export type ContentItem = ReadableMark & { readonly path: string; readonly text?: string | undefined };

/** The reason a content path is refused. */
export type ContentRefusal = { readonly path: string; readonly reason: string };

/** The result of holding content: records for the history, or a refusal of all of it. */
export type HeldContent =
  | { readonly records: readonly ContentRecord[]; readonly warnings: readonly string[] }
  | { readonly refused: readonly ContentRefusal[] }
  /** Texts that cannot be stored durably now; nothing is held. */
  | { readonly unstored: readonly string[] };

/** Content on record as it is now, or the reason it differs. `isLost`: its text must be submitted again. */
export type ContentFile = { readonly path: string; readonly isNew: boolean } & (
  | { readonly text: string }
  | { readonly problem: string; readonly isLost?: boolean }
);

/** The content of a project: submitted, held by hash until a completion counts, then saved. */
export type Content = {
  /** Normalizes a path: `./docs/a.md` is `docs/a.md`. The path need not be acceptable. */
  normalizePath(written: string): string;
  /** Checks every path, keeps the texts durably, and returns records; or refuses all and writes nothing. */
  hold(id: StreamId, ref: StepRef, items: readonly ContentItem[]): Promise<HeldContent>;
  /** The same without keeping anything: the append keeps and saves the texts. Only if log and content are one store. */
  prepare?(items: readonly ContentItem[]): Promise<HeldContent>;
  /** Saves what was held for a completed step into the project; returns warnings. */
  save(id: StreamId, ref: StepRef, records: readonly ContentRecord[]): Promise<readonly string[]>;
  /** Finishes saves that a crash cut off, for every completed attempt with held content. */
  saveLeftOvers(
    id: StreamId,
    isCompleted: (ref: StepRef) => Promise<readonly ContentRecord[] | undefined>,
  ): Promise<readonly string[]>;
  /** Reads content on record, held before saved. `isNew`: no file exists at its path yet. */
  read(id: StreamId, ref: StepRef, records: readonly ContentRecord[]): Promise<readonly ContentFile[]>;
  /** The text at a path of the project now; undefined if none can be shown. */
  currentText?(path: string): Promise<string | undefined>;
  /** The names of the files in a folder of the project now; undefined if it is none. */
  filesIn?(path: string): Promise<readonly string[] | undefined>;
  /** Tells if a file, or one in a folder, is saved at this path; for stores without a work tree. */
  isSaved?(path: string, kind: "file" | "folder"): Promise<boolean>;
  /** A text submitted once, by hash; for stores that keep texts for good. */
  readByHash?(sha256: string): Promise<string | undefined>;
};
