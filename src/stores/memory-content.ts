import { hash } from "node:crypto";
import type { ContentKeeper } from "../engine/ports.ts";
import type { ContentRecord, StepRef } from "../workflow/events.ts";
import { pathProblem } from "./content/path.ts";
import { findRefusals, type Place } from "./content/refusals.ts";

/** A project area in memory, for as long as the process lasts: `files` holds what is saved, by path. */
export function memoryContentKeeper(files: Map<string, string> = new Map()): ContentKeeper {
  const held = new Map<string, { readonly ref: StepRef; readonly texts: Map<string, string> }>();
  const keyOf = ({ workflow, pass, step, attempt }: StepRef): string => JSON.stringify([workflow, pass, step, attempt]);
  const placeOf = (path: string): Place => {
    const problem = pathProblem(path);
    const text = files.get(path);
    return problem === undefined
      ? { target: path, size: text === undefined ? null : Buffer.byteLength(text) }
      : { problem };
  };
  const save = (ref: StepRef, records: readonly ContentRecord[]): void => {
    const texts = held.get(keyOf(ref))?.texts;
    for (const { path, sha256 } of records) {
      const text = texts?.get(sha256);
      if (text !== undefined) files.set(path, text);
    }
    held.delete(keyOf(ref));
  };
  return {
    async hold(ref, items) {
      const refused = findRefusals(items, placeOf);
      if (refused.length > 0) return { refused };
      const texts = held.get(keyOf(ref))?.texts ?? new Map<string, string>();
      const records = items.map(({ path, text }): ContentRecord => {
        const known = text ?? files.get(path) ?? "";
        const record = { path, bytes: Buffer.byteLength(known), sha256: hash("sha256", known) };
        if (text !== undefined) texts.set(record.sha256, text);
        return record;
      });
      held.set(keyOf(ref), { ref, texts });
      return { records, warnings: [] };
    },
    async save(ref, records) {
      save(ref, records);
      return [];
    },
    async saveLeftOvers(isCompleted) {
      for (const { ref } of [...held.values()]) {
        const records = isCompleted(ref);
        if (records !== undefined) save(ref, records);
      }
      return [];
    },
    async read(ref, records) {
      return records.flatMap(({ path, sha256 }) => {
        const text = held.get(keyOf(ref))?.texts.get(sha256) ?? files.get(path);
        return text === undefined ? [] : [{ path, text }];
      });
    },
  };
}
