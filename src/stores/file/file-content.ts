import { readdirSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Content, ContentFile } from "../../engine/ports/content.ts";
import { unlessIoError } from "../../kit/io-errors.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { makeFolders } from "../../kit/make-folders.ts";
import { realPathSync } from "../../kit/real-path.ts";
import { sha256 } from "../../kit/sha256.ts";
import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import { normalizeTarget } from "../../workflow/same-target.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import {
  changedSince,
  changedWhileHeld,
  chooseReadablePath,
  findRefusals,
  maxTextBytes,
  missing,
  takenMessage,
  tooLong,
  unreadable,
} from "../content/content-rules.ts";
import { streamKey } from "../stream-key.ts";
import { readFile, saveFile } from "./content-file.ts";
import { type ContentArea, type Guarded, resolveContent } from "./content-target.ts";
import { type HeldContent, openHeldContent } from "./held-content.ts";
import { keepBytesAside } from "./keep-aside.ts";
import { engineFolder } from "./stream-paths.ts";

/** The area of the history if different, and what content must not touch. */
export type ContentOptions = {
  readonly historyArea?: string;
  readonly guarded?: readonly Guarded[];
  readonly areas?: AreasNow;
};

/** Lists the current project areas of the definitions. */
export type AreasNow = () => Promise<readonly string[]>;

/**
 * The files of a project area: nothing is written outside it, and no submission is lost before it is saved. Held texts are kept with the
 * history, which may be in another area.
 */
export function fileContent(area: string, options: ContentOptions = {}): Content {
  const { historyArea = area, guarded = [], areas = async () => [] } = options;
  let ground: ContentArea = {
    ...{ area, main: historyArea },
    guarded: guarded.flatMap((one) => [one, ...counterpart(one, historyArea, area)]),
  };
  // An area that only has the files gets no `.waymark/`: it would look like a project.
  const tmp = join(engineFolder(historyArea), "tmp");
  const kept = join(engineFolder(historyArea), "kept");
  const known = new Map<string, HeldContent>();
  const heldFor = (id: StreamId): HeldContent => {
    const held = known.get(streamKey(id)) ?? openHeldContent(historyArea, id);
    known.set(streamKey(id), held);
    return held;
  };

  async function learnAreas(): Promise<void> {
    const known = (await areas()).map((one) => resolve(one));
    const there = known.flatMap((one) => counterpart({ folder: one, parts: [""] }, historyArea, area));
    ground = { ...ground, areas: [...known, ...there.map(({ folder }) => folder)] };
  }

  /** Tells if a path is free or already has this content. */
  function isFree(place: ReturnType<typeof resolveContent>, text: string | Buffer): boolean {
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
        spoiled.push(...letGo(held, ref, digest, records)); // recorded by its hash only, or saved before
        continue;
      }
      const problems: string[] = [];
      for (const { path, readable } of records.filter((record) => record.sha256 === digest)) {
        const place = resolveContent(ground, path); // again: links may have been created since it was held
        if (readable === true && !isFree(place, bytes)) spoiled.push(takenMessage(path));
        else problems.push(...saveFile(ground, path, place, bytes, tmp));
      }
      warnings.push(...problems);
      // Release it at once: after a crash it would be saved again over later edits.
      if (problems.length === 0) held.drop(ref, digest);
    }
    if (warnings.length === 0) held.dropAll(ref);
    return [...spoiled, ...warnings];
  }

  /** Moves a held text that differs from the submission aside instead of saving it, with a warning. */
  function letGo(
    held: HeldContent,
    ref: StepRef,
    digest: string,
    records: readonly ContentRecord[],
  ): readonly string[] {
    if (!held.isLost(ref, digest)) return [];
    const bytes = held.changed(ref, digest);
    const paths = records.filter((record) => record.sha256 === digest).map(({ path }) => path);
    unlessIoError(() => {
      if (bytes !== undefined) for (const path of paths) keepBytesAside(bytes, path, kept, new Date());
      held.drop(ref, digest);
    });
    return paths.map((path) => `${path} was not saved: ${changedWhileHeld}.`);
  }

  return {
    normalizePath: (written) => {
      const name = normalizeTarget(written, area);
      const real = isAbsolute(name) ? realPathSync(area) : undefined;
      return real === undefined ? name : normalizeTarget(name, real);
    },
    async hold(id, ref, given) {
      await learnAreas();
      unlessIoError(() => makeFolders(area));
      const notices: string[] = [];
      const placeOf = resolveOnce(ground);
      const items = given.map((item) => {
        if (item.readable !== true) return item;
        const { path, warnings } = chooseReadablePath(item, (path, text) => isFree(placeOf(path), text));
        notices.push(...warnings);
        return { ...item, path };
      });
      const refused = findRefusals(items, placeOf);
      if (refused.length > 0) return { refused };
      const submitted = items.map((item) => ({ ...item, bytes: item.text ?? bytesAt(ground, placeOf(item.path)) }));
      const vanished = submitted.filter(({ bytes }) => bytes === undefined);
      if (vanished.length > 0) return { refused: vanished.map(({ path }) => ({ path, reason: "it cannot be read" })) };
      const held = heldFor(id);
      const unstored: string[] = [];
      const records = submitted.map(({ path, text, readable, bytes = "" }): ContentRecord => {
        const marked = readable === true ? { readable } : {};
        const record = { path, bytes: Buffer.byteLength(bytes), sha256: sha256(bytes), ...marked };
        if (text !== undefined && !held.put(ref, record.sha256, text)) unstored.push(path);
        return record;
      });
      return unstored.length > 0 ? { unstored } : { records, warnings: notices };
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
    currentText: async (path) => {
      const place = resolveContent(ground, path, "read");
      const isShowable = "size" in place && place.size !== null && place.size <= maxTextBytes;
      return isShowable ? readFile(ground, place)?.toString("utf8") : undefined;
    },
    filesIn: async (path) => {
      const inside = resolveContent(ground, `${path.replace(/\/+$/, "")}/list.md`, "read"); // by the rules for a file in it
      return "problem" in inside ? undefined : unlessIoError(() => readdirSync(dirname(inside.target)));
    },
  };
}

/** Reads a recorded file as it is now, or why it differs from the record; held texts come first. */
function readBack(ground: ContentArea, { path, sha256: digest }: ContentRecord, held: Buffer | undefined): ContentFile {
  const place = resolveContent(ground, path);
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

function bytesAt(ground: ContentArea, place: ReturnType<typeof resolveContent>): Buffer | undefined {
  return "problem" in place || place.size === null ? undefined : readFile(ground, place);
}

/** Resolves each path once, for one look at several. */
function resolveOnce(ground: ContentArea): (path: string) => ReturnType<typeof resolveContent> {
  const known = new Map<string, ReturnType<typeof resolveContent>>();
  return (path) => {
    const place = known.get(path) ?? resolveContent(ground, path);
    known.set(path, place);
    return place;
  };
}

/** A folder guarded in one work tree is guarded in the others. */
function counterpart({ folder, parts }: Guarded, main: string, tree: string): readonly Guarded[] {
  if (!isPathInside(main, folder) || main === tree) return [];
  const way = relative(main, folder);
  return way === ""
    ? parts.map((part) => ({ folder: join(tree, part), parts: [] }))
    : [{ folder: join(tree, way), parts }];
}
