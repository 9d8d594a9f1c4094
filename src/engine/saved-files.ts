import { sha256 } from "../kit/sha256.ts";
import { contentOnRecord } from "../workflow/content-on-record.ts";
import type { ContentRecord, StepRef } from "../workflow/events.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { EngineDeps } from "./engine-deps.ts";

/** A saved file: the newest at its path, and the attempt it came with. */
export type SavedFile = { readonly ref: StepRef; readonly record: ContentRecord };

/** A saved file as submitted, or the reason it cannot be read. */
export type SavedText = { readonly path: string } & ({ readonly text: string } | { readonly problem: string });

type SavedFileDeps = Pick<EngineDeps, "id" | "log" | "content">;

/** The files that the completed steps of a stream have saved, in one workflow or all. */
export function currentSavedFiles(stream: StreamSnapshot, workflow?: string): readonly SavedFile[] {
  const of = contentOnRecord(stream).filter(({ ref }) => workflow === undefined || ref.workflow === workflow);
  return newestByPath(of.flatMap(({ ref, records }) => records.map((record) => ({ ref, record }))));
}

/** The same over all completions ever, including superseded steps and earlier passes. */
export async function allSavedFiles({ id, log }: SavedFileDeps, workflow?: string): Promise<readonly SavedFile[]> {
  const saved: SavedFile[] = [];
  for await (const { events } of log.records(id))
    for (const event of events)
      if (event.type === "completed" && (workflow === undefined || event.workflow === workflow))
        for (const record of event.content ?? []) saved.push({ ref: event, record });
  return newestByPath(saved);
}

/** Reads back what a run saved at a path. The path is only looked up among records. */
export async function readSavedFile(
  parts: SavedFileDeps,
  path: string,
  workflow?: string,
): Promise<SavedText | undefined> {
  const { stream } = await parts.log.load(parts.id);
  const isMeant = ({ record }: SavedFile): boolean => record.path === path;
  const found =
    currentSavedFiles(stream, workflow).find(isMeant) ?? (await allSavedFiles(parts, workflow)).find(isMeant);
  if (found === undefined) return undefined;
  const text = await readSavedText(parts, found);
  return "problem" in text && (await wasForgotten(parts, found.record)) ? { path, problem: "it was forgotten" } : text;
}

/** Tells if a person had a file erased. */
async function wasForgotten({ id, log }: SavedFileDeps, { sha256: hash }: ContentRecord): Promise<boolean> {
  for await (const { events } of log.records(id))
    for (const event of events) if (event.type === "forgotten" && event.hashes.includes(hash)) return true;
  return false;
}

/** Reads one saved file: exactly the recorded bytes, or the reason it cannot. */
async function readSavedText({ id, content }: SavedFileDeps, { ref, record }: SavedFile): Promise<SavedText> {
  const { path, sha256: wanted } = record;
  const [file] = await content.read(id, ref, [record]);
  const text = file !== undefined && "text" in file ? file.text : await content.readByHash?.(wanted);
  if (text === undefined)
    return { path, problem: file !== undefined && "problem" in file ? file.problem : "it does not exist" };
  if (sha256(text) !== wanted) return { path, problem: "it is not text" };
  return { path, text };
}

function newestByPath(files: readonly SavedFile[]): readonly SavedFile[] {
  return [...new Map(files.map((file) => [file.record.path, file])).values()];
}
