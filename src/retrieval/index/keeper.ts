import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseDocument } from "../chunks/document.ts";
import { frontMatterOf } from "../chunks/front-matter.ts";
import { termReader } from "../text/terms.ts";
import { breather } from "./breath.ts";
import { dictionary } from "./dictionary.ts";
import type { Kept } from "./index-file.ts";
import { loadIndex, saveIndex } from "./index-store.ts";
import { type Inverted, invert } from "./inverted.ts";
import { type Identity, look, type Sight, troubleText } from "./look.ts";
import { readAhead } from "./read-ahead.ts";
import { type Reading, readDocument } from "./read-document.ts";
import { type Analysis, type DocumentRecord, recordOf } from "./record.ts";
import { folderWatch } from "./watch.ts";

/** Keeps the index of a folder in step with its files. */
export type IndexKeeper = {
  /** The index as the files stand now; undefined where that takes longer than our patience and goes on in the background. */
  current(patience: number): Promise<Inverted | undefined>;
  /** Takes note that a file is not what the index says: the next call looks again, whatever was reported. */
  suspect(): void;
  /** What went wrong since it was last asked. */
  warnings(): readonly string[];
  /** Waits until what is known is saved. */
  saved(): Promise<void>;
  close(): void;
};

/** An index is looked at again after this long even if nothing seemed to change: some file systems report nothing. */
const longestTrust = 2000;
/** A file changed within this time before it was read may change again unnoticed: it is read once more. */
const young = 100;
const saveDelay = 250;
/** So often folders that are new are watched and looked at once more. */
const mostRounds = 4;

/** Opens the index of a folder; nothing is read before it is asked for. */
export function indexKeeper(folder: string, path: string, now: () => number = Date.now): IndexKeeper {
  let words = dictionary();
  let kept: ReadonlyMap<string, Kept> = new Map();
  let index = invert([], words);
  let loading: Promise<void> | undefined;
  let working: Promise<void> | undefined;
  let saving: Promise<void> = Promise.resolve();
  let isUnsaved = false;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const eachTerm = termReader();
  const watch = folderWatch();
  const news = new Set<string>();
  let linkWarnings: readonly string[] = [];
  let watched: readonly string[] = [];

  async function load(): Promise<void> {
    const { saved, warning } = await loadIndex(path);
    if (warning !== undefined) news.add(warning);
    if (saved === undefined) return;
    words = saved.words;
    kept = new Map(saved.documents.map((entry) => [entry.record.file, entry]));
    index = invert(
      saved.documents.map(({ record }) => record),
      words,
      saved.postings,
    );
  }

  /** What stands in the folder, with nothing missed that changes while it is looked at: it is watched before. */
  async function watchedSight(): Promise<Sight> {
    for (let round = 1; ; round += 1) {
      lookedAt = now();
      watch.cover(watched);
      const sight = await look(folder);
      const known = new Set(watched);
      watched = sight.folders;
      if (watched.every((place) => known.has(place))) return sight;
      if (round === mostRounds) {
        lookedAt = Number.NEGATIVE_INFINITY; // folders come faster than they are watched
        return sight;
      }
    }
  }

  async function update(): Promise<void> {
    const sight = await watchedSight();
    linkWarnings = sight.troubles.map(troubleText);
    const analysis = { words, eachTerm, breathe: breather() };
    const next = new Map<string, Kept>();
    let isChanged = sight.files.size !== kept.size;
    let isWorthSaving = [...kept].some(([file, entry]) => !sight.files.has(file) && maySave(entry));
    const readIfChanged = async ([file, identity]: readonly [string, Identity]) =>
      isSame(kept.get(file), identity) ? undefined : readDocument(join(folder, file));
    for await (const [[file, identity], reading] of readAhead(sight.files, readIfChanged)) {
      const before = kept.get(file);
      const entry = reading === undefined ? before : await keep(file, reading, identity, before, analysis, now());
      if (entry === undefined) continue;
      next.set(file, entry);
      if (entry === before) continue;
      await analysis.breathe();
      isChanged ||= entry.record !== before?.record;
      isWorthSaving ||= maySave(entry) || (before !== undefined && maySave(before));
    }
    isChanged ||= next.size !== kept.size;
    kept = next;
    if (isChanged) index = invert(recordsOf(kept), words);
    if (!isWorthSaving || isUnsaved) return;
    isUnsaved = true; // a burst of changes is saved once
    setTimeout(() => {
      saving = saving.then(save);
    }, saveDelay).unref();
  }

  async function save(): Promise<void> {
    if (!isUnsaved) return;
    isUnsaved = false;
    const warning = await saveIndex(path, { words, documents: [...kept.values()].filter(maySave) });
    if (warning !== undefined) news.add(warning);
  }

  function start(): Promise<void> {
    const work = update()
      .catch((error: unknown) => {
        news.add(`The standards could not be looked at: ${error instanceof Error ? error.message : "unknown error"}.`);
      })
      .finally(() => {
        working = undefined;
      });
    working = work;
    return work;
  }

  return {
    async current(patience) {
      loading ??= load();
      await loading;
      if (working !== undefined && !(await isDone(working, patience))) return undefined;
      const isTrusted = Math.abs(now() - lookedAt) < longestTrust;
      if (working === undefined && isTrusted && (await watch.isQuiet())) return index;
      return (await isDone(working ?? start(), patience)) ? index : undefined;
    },
    suspect() {
      lookedAt = Number.NEGATIVE_INFINITY;
    },
    warnings() {
      const told = [...news, ...linkWarnings];
      news.clear();
      return told;
    },
    async saved() {
      await working;
      await saving;
      await save();
    },
    close: () => watch.close(),
  };
}

/** What is kept of one file that was read anew; the record before it where the content is the same, nothing where it is gone. */
async function keep(
  file: string,
  reading: Reading,
  { key, changed }: Identity,
  before: Kept | undefined,
  analysis: Analysis,
  now: number,
): Promise<Kept | undefined> {
  if (reading.kind === "gone") return undefined;
  const state = { key, isYoung: changed > now - young };
  if (before !== undefined && reading.hash !== "" && reading.hash === before.record.hash)
    return { ...before, ...state };
  const parsed =
    reading.kind === "text"
      ? parseDocument(reading.text)
      : { ...frontMatterOf(reading.head), title: "", text: "", chunks: [], ...nothingToFind, problem: reading.problem };
  return { record: await recordOf(file, reading.hash, parsed, analysis, before?.record), ...state };
}

const nothingToFind = { tags: [], questions: [], rest: "" };

function isSame(before: Kept | undefined, { key }: Identity): before is Kept {
  return before !== undefined && before.key === key && !before.isYoung;
}

/** What belongs to a workflow is never written down: its words would lie open in the project before their time. */
function maySave({ record }: Kept): boolean {
  return record.belongs.kind === "open";
}

function recordsOf(kept: ReadonlyMap<string, Kept>): DocumentRecord[] {
  return [...kept.values()].map(({ record }) => record).sort((a, b) => (a.file < b.file ? -1 : 1));
}

async function isDone(work: Promise<void>, patience: number): Promise<boolean> {
  if (patience <= 0) return false;
  if (patience === Number.POSITIVE_INFINITY) return work.then(() => true);
  const stop = new AbortController();
  const late = delay(patience, false, { signal: stop.signal, ref: false }).catch(() => false);
  const done = await Promise.race([work.then(() => true), late]);
  stop.abort();
  return done;
}
