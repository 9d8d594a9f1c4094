import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { TextReader } from "../answer/text-reader.ts";
import { type DocumentRecord, placeWidth } from "../index/document-record.ts";
import { writeWhole } from "../index/index-store.ts";
import type { Inverted } from "../index/inverted.ts";
import { hashOf } from "../index/read-document.ts";
import { decodeData, encodeData } from "../index/saved-data.ts";
import { yieldAfter } from "../index/yield-after.ts";
import type { RankedFile } from "../ranking/ranked-file.ts";
import { type EmbeddingSource, embedder } from "./endpoint.ts";
import { rankByNearness } from "./fuse.ts";

/** A second ranking by meaning, if an embeddings endpoint is configured. */
export type Nearness = {
  /** Returns the files nearest to a query; none, with a warning, if the endpoint does not answer in time. */
  rank(index: Inverted, visible: Uint8Array, query: string, wanted: number): Promise<readonly RankedFile[]>;
  warnings(): readonly string[];
  /** Waits briefly for pending vectors and saves those that arrived. */
  saved(): Promise<void>;
};

const queryTimeout = 1500;
const batchTimeout = 60_000;
const batchSize = 32;
/** The pause after a failure, so that a broken endpoint does not slow down every query. */
const rest = 30_000;
const longestText = 4000;
/** The time that closing waits for a pending batch. */
const grace = 2000;

/** Creates the ranking by embeddings: requested in the background, cached by text hash, and waited for only briefly. */
export function nearness(
  source: EmbeddingSource,
  indexFolder: string,
  readText: TextReader,
  { environment = process.env, now = Date.now }: { environment?: NodeJS.ProcessEnv; now?: () => number } = {},
): Nearness {
  const embed = embedder(source, environment);
  const path = join(indexFolder, `embeddings-${hashOf(`${source.url} ${source.model}`).slice(0, 10)}.bin`);
  const news = new Set<string>();
  const keys = new Map<string, readonly string[]>();
  let vectors: Map<string, Float32Array> | undefined;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let filling: { readonly work: Promise<void>; readonly stop: AbortController } | undefined;

  function fail(error: unknown): void {
    restsUntil = now() + rest;
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const why = isLate ? "it did not answer in time" : error instanceof Error ? error.message : "unknown error";
    news.add(`Embeddings were not used, so this answer matches words only: ${why}.`);
  }

  async function fill(index: Inverted, stop: AbortSignal): Promise<void> {
    vectors ??= await loadVectors(path);
    const missing = new Map<string, string>();
    const breathe = yieldAfter();
    for (const record of index.documents) {
      await describe(record, missing);
      await breathe();
    }
    const list = [...missing];
    try {
      for (let at = 0; at < list.length && !stop.aborted; at += batchSize)
        await fillBatch(list.slice(at, at + batchSize), vectors, stop);
    } finally {
      if (list.length > 0) await save(vectors);
    }
  }

  async function fillBatch(
    batch: readonly (readonly [string, string])[],
    into: Map<string, Float32Array>,
    stop: AbortSignal,
  ): Promise<void> {
    const found = await embed(
      batch.map(([, text]) => text),
      AbortSignal.any([AbortSignal.timeout(batchTimeout), stop]),
    );
    batch.forEach(([key], place) => {
      const vector = found[place];
      if (vector !== undefined) into.set(key, vector);
    });
  }

  async function save(all: ReadonlyMap<string, Float32Array>): Promise<void> {
    const used = new Set([...keys.values()].flat());
    const kept = new Map([...all].filter(([key]) => used.has(key)));
    const warning = await writeWhole(path, encodeData(mark, kept), "Embeddings cannot be cached");
    if (warning !== undefined) news.add(warning);
  }

  async function describe(record: DocumentRecord, missing: Map<string, string>): Promise<void> {
    if (keys.has(keyOf(record))) return;
    const text = record.places.length === 0 ? undefined : await readText(record.file, record.hash);
    if (text === undefined) return;
    const own = record.sections().map((section, chunk) => {
      const [start, end] = record.places.subarray(chunk * placeWidth);
      const content = `${record.title}\n${section}\n${text.slice(start, end)}`.slice(0, longestText);
      const key = hashOf(content);
      if (!vectors?.has(key)) missing.set(key, content);
      return key;
    });
    keys.set(keyOf(record), own);
  }

  function begin(index: Inverted): void {
    const isKnown = index.documents.every((record) => record.places.length === 0 || keys.has(keyOf(record)));
    if (filling !== undefined || isKnown || now() < restsUntil) return;
    const stop = new AbortController();
    const work = fill(index, stop.signal)
      .catch((error: unknown) => {
        if (!stop.signal.aborted) fail(error);
      })
      .finally(() => {
        filling = undefined;
        if (stop.signal.aborted || now() < restsUntil) keys.clear(); // missing embeddings are requested again
      });
    filling = { work, stop };
  }

  return {
    async rank(index, visible, query, wanted) {
      begin(index);
      if (vectors === undefined || vectors.size === 0 || now() < restsUntil) return [];
      try {
        const [vector] = await embed([query], AbortSignal.timeout(source.timeout ?? queryTimeout));
        if (vector === undefined) return [];
        const vectorOf = (document: number, chunk: number) => {
          const record = index.documents[document];
          return record === undefined ? undefined : vectors?.get(keys.get(keyOf(record))?.[chunk] ?? "");
        };
        return rankByNearness(index, visible, vector, vectorOf, wanted);
      } catch (error) {
        fail(error);
        return [];
      }
    },
    warnings() {
      const told = [...news];
      news.clear();
      return told;
    },
    async saved() {
      if (filling === undefined) return;
      const { work, stop } = filling;
      const done = new AbortController();
      const late = delay(grace, undefined, { signal: done.signal }).catch(() => undefined);
      await Promise.race([work, late]);
      done.abort();
      stop.abort();
      await work;
    },
  };
}

const mark = "WAYMARK vectors 01";

/** The saved vectors; none if the file is missing or damaged, since they can be requested again. */
async function loadVectors(path: string): Promise<Map<string, Float32Array>> {
  try {
    return (decodeData(mark, await readFile(path)) as Map<string, Float32Array> | undefined) ?? new Map();
  } catch {
    return new Map();
  }
}

function keyOf({ file, hash }: DocumentRecord): string {
  return `${file}\n${hash}`;
}
