import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { parseDocument } from "../chunks/document.ts";
import { frontMatterOf } from "../chunks/document-head.ts";
import { termReader } from "../text/terms.ts";
import { dictionary } from "./dictionary.ts";
import { type Analysis, type DocumentRecord, recordOf } from "./document-record.ts";
import type { IndexedDocument } from "./index-file.ts";
import { loadIndex, saveIndex } from "./index-store.ts";
import { type Inverted, invert } from "./inverted.ts";
import { type FileIdentity, issueText, listStandards } from "./list-standards.ts";
import { readAhead } from "./read-ahead.ts";
import { type Reading, readDocument } from "./read-document.ts";
import { yieldAfter } from "./yield-after.ts";

/** Keeps the index of a folder up to date with its files. */
export type IndexKeeper = {
  /** The index of the current files; undefined if it takes longer than `patience` milliseconds, while it continues in the background. */
  current(patience: number): Promise<Inverted | undefined>;
  /** Notes that files differ from the index, so that the next call reads them again. */
  suspect(files: readonly string[]): void;
  /** The problems since the last call. */
  warnings(): readonly string[];
  /** The links that are not followed. */
  links(): readonly string[];
  /** Resolves when everything known is saved. */
  saved(): Promise<void>;
};

/** A file changed this shortly before it was read may change again unnoticed, so it is read once more. */
const young = 100;
const saveDelay = 250;

/** The folder of the standards, the snapshot that lists them, and the file of their index. */
export type IndexSource = {
  readonly folder: string;
  readonly path: string;
  readonly current: () => Promise<DefinitionSnapshot>;
  /** Receives the text of each document that was read. */
  readonly onText?: (file: string, hash: string, text: string) => void;
};

/** Opens the index of a folder; nothing is read before it is needed. */
export function indexKeeper({ folder, path, current, onText }: IndexSource, now: () => number = Date.now): IndexKeeper {
  let words = dictionary();
  let kept: ReadonlyMap<string, IndexedDocument> = new Map();
  let index = invert([], words);
  let loading: Promise<void> | undefined;
  let working: Promise<void> | undefined;
  let saving: Promise<void> = Promise.resolve();
  let isUnsaved = false;
  /** The snapshot that the index was made from. */
  let indexed: DefinitionSnapshot | undefined;
  const eachTerm = termReader();
  const news = new Set<string>();
  let linkWarnings: readonly string[] = [];

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

  async function update(): Promise<void> {
    const definitions = await current();
    const stat = listStandards(definitions);
    linkWarnings = stat.troubles.map(issueText);
    const analysis = { words, eachTerm, breathe: yieldAfter() };
    const next = new Map<string, IndexedDocument>();
    let isChanged = stat.files.size !== kept.size;
    let isWorthSaving = [...kept].some(([file, entry]) => !stat.files.has(file) && maySave(entry));
    const readIfChanged = async ([file, identity]: readonly [string, FileIdentity]) =>
      isSame(kept.get(file), identity) ? undefined : readDocument(join(folder, file));
    for await (const [[file, identity], reading] of readAhead(stat.files, readIfChanged)) {
      const before = kept.get(file);
      const entry = reading === undefined ? before : await readEntry(file, reading, identity, before, analysis, now());
      if (reading?.kind === "text") onText?.(file, reading.hash, reading.text);
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
    indexed = definitions;
    if (!isWorthSaving || isUnsaved) return;
    isUnsaved = true; // several changes are saved together
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
        news.add(`The standards could not be read: ${error instanceof Error ? error.message : "unknown error"}.`);
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
      if (working === undefined && indexed !== undefined && (await current()) === indexed) return index;
      return (await isDone(working ?? start(), patience)) ? index : undefined;
    },
    suspect(files) {
      indexed = undefined;
      const differing = new Set(files);
      const marked = [...kept].map(([file, entry]) => [file, differing.has(file) ? unsure(entry) : entry] as const);
      kept = new Map(marked);
    },
    warnings() {
      const told = [...news];
      news.clear();
      return told;
    },
    links: () => linkWarnings,
    async saved() {
      await working;
      await saving;
      await save();
    },
  };
}

/** The entry of a file that was read again: the earlier record if the content is the same, undefined if it is gone. */
async function readEntry(
  file: string,
  reading: Reading,
  { stamp, changed }: FileIdentity,
  before: IndexedDocument | undefined,
  analysis: Analysis,
  now: number,
): Promise<IndexedDocument | undefined> {
  if (reading.kind === "gone") return undefined;
  const state = { key: stamp, isYoung: changed > now - young };
  if (before !== undefined && reading.hash !== "" && reading.hash === before.record.hash)
    return { ...before, ...state };
  const parsed =
    reading.kind === "text"
      ? parseDocument(reading.text)
      : { ...frontMatterOf(reading.head), title: "", text: "", chunks: [], ...nothingToFind, problem: reading.problem };
  return { record: await recordOf(file, reading.hash, parsed, analysis, before?.record), ...state };
}

const nothingToFind = { tags: [], questions: [], rest: "" };

function isSame(before: IndexedDocument | undefined, { stamp }: FileIdentity): before is IndexedDocument {
  return before !== undefined && before.key === stamp && !before.isYoung;
}

/** Documents of a workflow are never saved, since their words would be readable in the project too early. */
function maySave({ record }: IndexedDocument): boolean {
  return record.belongs.kind === "open";
}

/** The entry of a file that has to be read again. */
function unsure(entry: IndexedDocument): IndexedDocument {
  return { ...entry, isYoung: true };
}

function recordsOf(kept: ReadonlyMap<string, IndexedDocument>): DocumentRecord[] {
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
