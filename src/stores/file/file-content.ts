import { isAbsolute, join, relative, resolve } from "node:path";
import type { Content, ContentFile, DeskId, OnFault } from "../../engine/ports.ts";
import { sameTarget } from "../../evidence/same-target.ts";
import { sha256 } from "../../evidence/sha256.ts";
import { liesIn } from "../../paths/lies-in.ts";
import { realPathSync } from "../../paths/real-path.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import { readablePlace, takenMeanwhile } from "../content/readable.ts";
import {
  changedSince,
  changedWhileHeld,
  findRefusals,
  maxTextBytes,
  missing,
  tooLong,
  unreadable,
} from "../content/refusals.ts";
import { deskKey } from "../desk-key.ts";
import { readFile, saveFile } from "./content-file.ts";
import { type Ground, type Guarded, placeOf } from "./content-place.ts";
import { unlessFault } from "./faults.ts";
import { type HeldContent, openHeldContent } from "./held-content.ts";
import { keepBytesAside } from "./kept.ts";
import { makeFolders } from "./make-folders.ts";
import { ownFolder } from "./places.ts";

/** Where the history stands, if not with the files, and what content may not touch: folders, and the two JSON files of all project areas. */
export type ContentOptions = {
  readonly historyArea?: string;
  readonly guarded?: readonly Guarded[];
  readonly areas?: AreasNow;
};

/** All project areas of the definitions as they stand now. */
export type AreasNow = () => Promise<readonly string[]>;

/**
 * The files of a project area: nothing is written outside it, and nothing that was handed in is lost before it is saved.
 * What is held stands with the history, which may be kept in another area than the files.
 */
export function fileContent(area: string, options: ContentOptions = {}): Content {
  const { historyArea = area, guarded = [], areas = async () => [] } = options;
  let ground: Ground = {
    ...{ area, main: historyArea },
    guarded: guarded.flatMap((one) => [one, ...counterpart(one, historyArea, area)]),
  };
  // Nothing of ours stands in an area that only has the files: a `.waymark/` there would look like a project.
  const tmp = join(ownFolder(historyArea), "tmp");
  const kept = join(ownFolder(historyArea), "kept");
  const known = new Map<string, HeldContent>();
  const heldFor = (id: DeskId): HeldContent => {
    const held = known.get(deskKey(id)) ?? openHeldContent(historyArea, id);
    known.set(deskKey(id), held);
    return held;
  };

  async function learnAreas(): Promise<void> {
    const known = (await areas()).map((one) => resolve(one));
    const there = known.flatMap((one) => counterpart({ folder: one, parts: [""] }, historyArea, area));
    ground = { ...ground, areas: [...known, ...there.map(({ folder }) => folder)] };
  }

  /** Whether nothing stands at a path, or just this. */
  function isFree(path: string, text: string | Buffer): boolean {
    const place = placeOf(ground, path);
    if ("problem" in place) return false;
    return place.size === null || readFile(ground, place)?.equals(Buffer.from(text)) === true;
  }

  function save(held: HeldContent, ref: StepRef, records: readonly ContentRecord[]): readonly string[] {
    const warnings: string[] = [];
    const spoiled: string[] = [];
    const digests = new Set(records.map((record) => record.sha256));
    for (const digest of digests) {
      const bytes = held.get(ref, digest);
      if (bytes === undefined) {
        spoiled.push(...letGo(held, ref, digest, records)); // else on record by its hash only, or saved before
        continue;
      }
      const wanted = records.filter((record) => record.sha256 === digest);
      const taken = wanted.filter(({ path, readable }) => readable === true && !isFree(path, bytes));
      spoiled.push(...taken.map(({ path }) => takenMeanwhile(path)));
      const problems = wanted
        .filter((record) => !taken.includes(record))
        .flatMap(({ path }) => saveFile(ground, path, bytes, tmp) ?? []);
      warnings.push(...problems);
      // Let go at once: after a crash it would be saved again, over what was done to the file since.
      if (problems.length === 0) held.drop(ref, digest);
    }
    if (warnings.length === 0) held.dropAll(ref);
    return [...spoiled, ...warnings];
  }

  /** What stands in the place of a held text and is not what was handed in is not saved, but kept aside; says so. */
  function letGo(
    held: HeldContent,
    ref: StepRef,
    digest: string,
    records: readonly ContentRecord[],
  ): readonly string[] {
    if (!held.isLost(ref, digest)) return [];
    const bytes = held.changed(ref, digest);
    const paths = records.filter((record) => record.sha256 === digest).map(({ path }) => path);
    unlessFault(() => {
      if (bytes !== undefined) for (const path of paths) keepBytesAside(bytes, path, kept, new Date());
      held.drop(ref, digest);
    });
    return paths.map((path) => `${path} was not saved: ${changedWhileHeld}.`);
  }

  return {
    nameOf: (written) => {
      const name = sameTarget(written, area);
      const real = isAbsolute(name) ? realPathSync(area) : undefined;
      return real === undefined ? name : sameTarget(name, real);
    },
    async hold(id, ref, given, onFault: OnFault) {
      await learnAreas();
      unlessFault(() => makeFolders(area));
      const notices: string[] = [];
      const items = given.map((item) => {
        if (item.readable !== true) return item;
        const { path, warnings } = readablePlace(item, isFree);
        notices.push(...warnings);
        return { ...item, path };
      });
      const refused = findRefusals(items, (path) => placeOf(ground, path));
      if (refused.length > 0) return { refused };
      const handed = items.map((item) => ({ ...item, bytes: item.text ?? bytesAt(ground, item.path) }));
      const vanished = handed.filter(({ bytes }) => bytes === undefined);
      if (vanished.length > 0) return { refused: vanished.map(({ path }) => ({ path, reason: "it cannot be read" })) };
      const held = heldFor(id);
      const inMemory: string[] = [];
      const records = handed.map(({ path, text, readable, bytes = "" }): ContentRecord => {
        const marked = readable === true ? { readable } : {};
        const record = { path, bytes: Buffer.byteLength(bytes), sha256: sha256(bytes), ...marked };
        if (text !== undefined && !held.put(ref, record.sha256, text)) inMemory.push(path);
        return record;
      });
      if (inMemory.length > 0 && onFault === "refuse")
        return { refused: inMemory.map((path) => ({ path, reason: "it cannot be kept on disk now" })) };
      const warnings = inMemory.map(
        (path) => `Unable to keep ${path} on disk for now; it is held in memory until it can be saved.`,
      );
      return { records, warnings: [...notices, ...warnings] };
    },
    async save(id, ref, records) {
      await learnAreas();
      return save(heldFor(id), ref, records);
    },
    async saveLeftOvers(id, isCompleted) {
      await learnAreas();
      const held = heldFor(id);
      const warnings: string[] = [];
      for (const ref of held.refs()) {
        const records = await isCompleted(ref);
        if (records !== undefined) warnings.push(...save(held, ref, records));
      }
      return warnings;
    },
    read: async (id, ref, records) =>
      records.map((record) => {
        const held = heldFor(id);
        const isLost = held.isLost(ref, record.sha256);
        const file = readBack(ground, record, held.get(ref, record.sha256));
        return isLost && "problem" in file ? { ...file, problem: changedWhileHeld, isLost } : file;
      }),
    stands: async (path) => {
      const place = placeOf(ground, path);
      const isShowable = "size" in place && place.size !== null && place.size <= maxTextBytes;
      return isShowable ? readFile(ground, place)?.toString("utf8") : undefined;
    },
  };
}

/** A file on record as it stands now, or why it is not what was put on record. What is held comes before what stands there. */
function readBack(ground: Ground, { path, sha256: digest }: ContentRecord, held: Buffer | undefined): ContentFile {
  const place = placeOf(ground, path);
  const isNew = "size" in place && place.size === null;
  if (held !== undefined) return { path, isNew, text: held.toString("utf8") };
  if ("problem" in place) return { path, isNew, problem: place.problem };
  if (place.size === null) return { path, isNew, problem: missing };
  if (place.size > maxTextBytes) return { path, isNew, problem: tooLong };
  const bytes = readFile(ground, place);
  if (bytes === undefined) return { path, isNew, problem: unreadable };
  return sha256(bytes) === digest
    ? { path, isNew, text: bytes.toString("utf8") }
    : { path, isNew, problem: changedSince };
}

function bytesAt(ground: Ground, path: string): Buffer | undefined {
  const place = placeOf(ground, path);
  return "problem" in place || place.size === null ? undefined : readFile(ground, place);
}

/** What is guarded in one work tree is guarded in the others. */
function counterpart({ folder, parts }: Guarded, main: string, tree: string): readonly Guarded[] {
  if (!liesIn(main, folder) || main === tree) return [];
  const way = relative(main, folder);
  return way === ""
    ? parts.map((part) => ({ folder: join(tree, part), parts: [] }))
    : [{ folder: join(tree, way), parts }];
}
