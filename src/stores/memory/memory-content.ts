import type { Content, ContentFile, DeskId } from "../../engine/ports.ts";
import { pathProblem } from "../../evidence/content-path.ts";
import { sameTarget } from "../../evidence/same-target.ts";
import { sha256 } from "../../evidence/sha256.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import { attemptKey } from "../../workflow/step-ref.ts";
import { readablePlace } from "../content/readable.ts";
import { changedSince, findRefusals, maxTextBytes, missing, type Place, tooLong } from "../content/refusals.ts";
import { deskKey } from "../desk-key.ts";

/** The content of a project area in memory: `files` holds what is saved, by path. */
export function memoryContent(files: Map<string, string>): Content {
  type Held = { readonly desk: string; readonly ref: StepRef; readonly texts: Map<string, string> };
  const held = new Map<string, Held>();
  const keyOf = (id: DeskId, ref: StepRef): string => JSON.stringify([deskKey(id), attemptKey(ref)]);
  const placeOf = (path: string): Place => {
    const problem = pathProblem(path);
    const text = files.get(path);
    return problem === undefined
      ? { target: path, size: text === undefined ? null : Buffer.byteLength(text) }
      : { problem };
  };
  const save = (id: DeskId, ref: StepRef, records: readonly ContentRecord[]): void => {
    const texts = held.get(keyOf(id, ref))?.texts;
    for (const { path, sha256: digest, readable } of records) {
      const text = texts?.get(digest);
      const isTaken = readable === true && (files.get(path) ?? text) !== text;
      if (text !== undefined && !isTaken) files.set(path, text);
    }
    held.delete(keyOf(id, ref));
  };
  const readBack = (id: DeskId, ref: StepRef, { path, sha256: digest }: ContentRecord): ContentFile => {
    const stands = files.get(path);
    const isNew = stands === undefined && pathProblem(path) === undefined;
    const text = held.get(keyOf(id, ref))?.texts.get(digest);
    if (text !== undefined) return { path, isNew, text };
    if (stands === undefined) return { path, isNew, problem: pathProblem(path) ?? missing };
    if (Buffer.byteLength(stands) > maxTextBytes) return { path, isNew, problem: tooLong };
    return sha256(stands) === digest ? { path, isNew, text: stands } : { path, isNew, problem: changedSince };
  };
  return {
    nameOf: (written) => sameTarget(written),
    async hold(id, ref, given) {
      const warnings: string[] = [];
      const items = given.map((item) => {
        if (item.readable !== true) return item;
        const place = readablePlace(item, (path, text) => (files.get(path) ?? text) === text);
        warnings.push(...place.warnings);
        return { ...item, path: place.path };
      });
      const refused = findRefusals(items, placeOf);
      if (refused.length > 0) return { refused };
      const texts = held.get(keyOf(id, ref))?.texts ?? new Map<string, string>();
      const records = items.map(({ path, text, readable }): ContentRecord => {
        const known = text ?? files.get(path) ?? "";
        const marked = readable === true ? { readable } : {};
        const record = { path, bytes: Buffer.byteLength(known), sha256: sha256(known), ...marked };
        if (text !== undefined) texts.set(record.sha256, text);
        return record;
      });
      held.set(keyOf(id, ref), { desk: deskKey(id), ref, texts });
      return { records, warnings };
    },
    async save(id, ref, records) {
      save(id, ref, records);
      return [];
    },
    async saveLeftOvers(id, isCompleted) {
      for (const { desk, ref } of [...held.values()]) {
        const records = desk === deskKey(id) ? await isCompleted(ref) : undefined;
        if (records !== undefined) save(id, ref, records);
      }
      return [];
    },
    read: async (id, ref, records) => records.map((record) => readBack(id, ref, record)),
    stands: async (path) => files.get(path),
  };
}
