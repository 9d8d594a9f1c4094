import type { Content, ContentFile } from "../../engine/ports/content.ts";
import { pathProblem } from "../../kit/portable-path.ts";
import { sha256 } from "../../kit/sha256.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import { normalizeTarget } from "../../workflow/same-target.ts";
import { attemptKey } from "../../workflow/step-ref.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import {
  type ContentTarget,
  changedSince,
  chooseReadablePath,
  findRefusals,
  maxTextBytes,
  missing,
  tooLong,
} from "../content/content-rules.ts";
import { streamKey } from "../stream-key.ts";

/** The content of a project area in memory; `files` holds saved texts by path. */
export function memoryContent(files: Map<string, string>): Content {
  type Held = { readonly stream: string; readonly ref: StepRef; readonly texts: Map<string, string> };
  const held = new Map<string, Held>();
  const keyOf = (id: StreamId, ref: StepRef): string => JSON.stringify([streamKey(id), attemptKey(ref)]);
  const placeOf = (path: string): ContentTarget => {
    const problem = pathProblem(path);
    const text = files.get(path);
    return problem === undefined
      ? { target: path, size: text === undefined ? null : Buffer.byteLength(text) }
      : { problem };
  };
  const save = (id: StreamId, ref: StepRef, records: readonly ContentRecord[]): void => {
    const texts = held.get(keyOf(id, ref))?.texts;
    for (const { path, sha256: digest, readable } of records) {
      const text = texts?.get(digest);
      const isTaken = readable === true && (files.get(path) ?? text) !== text;
      if (text !== undefined && !isTaken) files.set(path, text);
    }
    held.delete(keyOf(id, ref));
  };
  const readBack = (id: StreamId, ref: StepRef, { path, sha256: digest }: ContentRecord): ContentFile => {
    const saved = files.get(path);
    const isNew = saved === undefined && pathProblem(path) === undefined;
    const text = held.get(keyOf(id, ref))?.texts.get(digest);
    if (text !== undefined) return { path, isNew, text };
    if (saved === undefined) return { path, isNew, problem: pathProblem(path) ?? missing };
    if (Buffer.byteLength(saved) > maxTextBytes) return { path, isNew, problem: tooLong };
    return sha256(saved) === digest ? { path, isNew, text: saved } : { path, isNew, problem: changedSince };
  };
  return {
    normalizePath: (written) => normalizeTarget(written),
    async hold(id, ref, given) {
      const warnings: string[] = [];
      const items = given.map((item) => {
        if (item.readable !== true) return item;
        const place = chooseReadablePath(item, (path, text) => (files.get(path) ?? text) === text);
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
      held.set(keyOf(id, ref), { stream: streamKey(id), ref, texts });
      return { records, warnings };
    },
    async save(id, ref, records) {
      save(id, ref, records);
      return [];
    },
    async saveLeftOvers(id, isCompleted) {
      for (const { stream, ref } of [...held.values()]) {
        const records = stream === streamKey(id) ? await isCompleted(ref) : undefined;
        if (records !== undefined) save(id, ref, records);
      }
      return [];
    },
    read: async (id, ref, records) => records.map((record) => readBack(id, ref, record)),
    currentText: async (path) => files.get(path),
    filesIn: async (path) => {
      const folder = `${path}/`;
      const names = [...files.keys()].filter((one) => one.startsWith(folder)).map((one) => one.slice(folder.length));
      return names.length === 0 ? undefined : names.filter((one) => !one.includes("/"));
    },
  };
}
