import { sha256 } from "../evidence/sha256.ts";
import { contentOnRecord } from "../workflow/content-on-record.ts";
import type { Desk } from "../workflow/desk.ts";
import type { ContentRecord, StepRef } from "../workflow/events.ts";
import type { DeskParts } from "./desk-parts.ts";

/** A file that a run has saved: the newest of its path, and the attempt that it came with. */
export type SavedFile = { readonly ref: StepRef; readonly record: ContentRecord };

/** A saved file as it was handed in; or why it cannot be had any more. */
export type ReadSaved = { readonly path: string } & ({ readonly text: string } | { readonly problem: string });

type Parts = Pick<DeskParts, "id" | "log" | "content">;

/** What the completed steps of a desk have saved, by the steps as they stand: of one workflow, or of all. */
export function savedNow(desk: Desk, workflow?: string): readonly SavedFile[] {
  const of = contentOnRecord(desk).filter(({ ref }) => workflow === undefined || ref.workflow === workflow);
  return newest(of.flatMap(({ ref, records }) => records.map((record) => ({ ref, record }))));
}

/** The same of everything that was ever completed: of steps that were gone back to and of earlier passes, too. */
export async function savedEver({ id, log }: Parts, workflow?: string): Promise<readonly SavedFile[]> {
  const saved: SavedFile[] = [];
  for await (const { events } of log.records(id))
    for (const event of events)
      if (event.type === "completed" && (workflow === undefined || event.workflow === workflow))
        for (const record of event.content ?? []) saved.push({ ref: event, record });
  return newest(saved);
}

/** Reads back what a run has saved at a path. The path is looked up among what is on record: it leads nowhere. */
export async function readSavedAt(parts: Parts, path: string, workflow?: string): Promise<ReadSaved | undefined> {
  const { desk } = await parts.log.look(parts.id);
  const isMeant = ({ record }: SavedFile): boolean => record.path === path;
  const found = savedNow(desk, workflow).find(isMeant) ?? (await savedEver(parts, workflow)).find(isMeant);
  return found === undefined ? undefined : readSaved(parts, found);
}

/** Reads one saved file back: just the bytes that are on record, or why not. */
async function readSaved({ id, content }: Parts, { ref, record }: SavedFile): Promise<ReadSaved> {
  const { path, sha256: wanted } = record;
  const [file] = await content.read(id, ref, [record]);
  const text = file !== undefined && "text" in file ? file.text : await content.recall?.(wanted);
  if (text === undefined)
    return { path, problem: file !== undefined && "problem" in file ? file.problem : "it is not there" };
  if (sha256(text) !== wanted) return { path, problem: "it is no text" };
  return { path, text };
}

function newest(files: readonly SavedFile[]): readonly SavedFile[] {
  return [...new Map(files.map((file) => [file.record.path, file])).values()];
}
