import { mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ContentKeeper } from "../../engine/ports.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import { findRefusals, maxTextBytes } from "../content/refusals.ts";
import { placeOf } from "./content-place.ts";
import { replaceFile, syncFoldersUpTo } from "./disk.ts";
import { faultCode, unlessFault } from "./faults.ts";
import { openHeldContent } from "./held-content.ts";
import { ownFolder } from "./places.ts";
import { sha256 } from "./record.ts";

/** The files of a project area: nothing is written outside it, and nothing that was handed in is lost before it is saved. `strict` refuses what would be safe in memory only. */
export function fileContentKeeper(projectArea: string, strict: () => boolean = () => false): ContentKeeper {
  const area = resolve(projectArea);
  const held = openHeldContent(area);

  function save(ref: StepRef, records: readonly ContentRecord[]): readonly string[] {
    const warnings: string[] = [];
    const digests = new Set(records.map((record) => record.sha256));
    for (const digest of digests) {
      const bytes = held.get(ref, digest);
      if (bytes === undefined) continue; // on record by its hash only, or saved before
      const problems = records
        .filter((record) => record.sha256 === digest)
        .flatMap(({ path }) => saveFile(area, path, bytes) ?? []);
      warnings.push(...problems);
      // Let go at once: after a crash it would be saved again, over what was done to the file since.
      if (problems.length === 0) held.drop(ref, digest);
    }
    if (warnings.length === 0) held.dropAll(ref);
    return warnings;
  }

  return {
    async hold(ref, items) {
      const refused = findRefusals(items, (path) => placeOf(area, path));
      if (refused.length > 0) return { refused };
      const handed = items.map(({ path, text }) => ({ path, text, bytes: text ?? readRecorded(area, path) }));
      const vanished = handed.filter(({ bytes }) => bytes === undefined);
      if (vanished.length > 0) return { refused: vanished.map(({ path }) => ({ path, reason: "it cannot be read" })) };
      const inMemory: string[] = [];
      const records = handed.map(({ path, text, bytes = "" }): ContentRecord => {
        const record = { path, bytes: Buffer.byteLength(bytes), sha256: sha256(bytes) };
        if (text !== undefined && !held.put(ref, record.sha256, text)) inMemory.push(path);
        return record;
      });
      if (inMemory.length > 0 && strict())
        return { refused: inMemory.map((path) => ({ path, reason: "it cannot be kept on disk now" })) };
      const warnings = inMemory.map(
        (path) => `Unable to keep ${path} on disk for now; it is held in memory until it can be saved.`,
      );
      return { records, warnings };
    },
    save: async (ref, records) => save(ref, records),
    async saveLeftOvers(isCompleted) {
      return held.refs().flatMap((ref) => {
        const records = isCompleted(ref);
        return records === undefined ? [] : save(ref, records);
      });
    },
    async read(ref, records) {
      return records.flatMap(({ path, sha256: digest }) => {
        const bytes = held.get(ref, digest) ?? readRecorded(area, path, maxTextBytes);
        return bytes === undefined ? [] : [{ path, text: bytes.toString("utf8") }];
      });
    },
  };
}

function readRecorded(area: string, path: string, limit = Number.POSITIVE_INFINITY): Buffer | undefined {
  const place = placeOf(area, path);
  if ("problem" in place || place.size === null || place.size > limit) return undefined;
  return unlessFault(() => readFileSync(place.target));
}

/** Saves a file at its place, whole and for good; returns a warning where that failed. */
function saveFile(area: string, path: string, bytes: Buffer): string | undefined {
  const place = placeOf(area, path); // again: links may have been laid since it was held
  if ("problem" in place) return unsaved(path, place.problem);
  try {
    const folder = dirname(place.target);
    const created = mkdirSync(folder, { recursive: true });
    const mode = statSync(place.target, { throwIfNoEntry: false })?.mode;
    replaceFile(place.target, [bytes], join(ownFolder(area), "tmp"), {
      durable: true,
      ...(mode === undefined ? {} : { mode }),
    });
    if (created !== undefined) syncFoldersUpTo(folder, dirname(created));
    return undefined;
  } catch (error) {
    const code = faultCode(error);
    if (code === undefined) throw error;
    return unsaved(path, code);
  }
}

function unsaved(path: string, why: string): string {
  return `Unable to save ${path} (${why}). It is kept, and saved as soon as that works.`;
}
