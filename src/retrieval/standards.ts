import { join } from "node:path";
import type { DefinitionSnapshot } from "../engine/ports/definition-snapshot.ts";
import type { SearchOptions, Standards } from "../engine/ports/search.ts";
import { composeResults } from "./answer/compose-answer.ts";
import { type Passage, spreadOverFiles } from "./answer/passages.ts";
import { parseQuery, type Query, weightedTerms } from "./answer/query.ts";
import { cachedTextReader } from "./answer/text-reader.ts";
import { type DescribedDocument, isVisible, matchesFilter } from "./document-access.ts";
import type { EmbeddingSource } from "./embeddings/endpoint.ts";
import { fuse } from "./embeddings/fuse.ts";
import { nearness } from "./embeddings/nearness.ts";
import { indexKeeper } from "./index/index-keeper.ts";
import type { Inverted } from "./index/inverted.ts";
import { readAhead } from "./index/read-ahead.ts";
import { rankFiles } from "./ranking/rank.ts";
import { rememberVisible } from "./ranking/visible-documents.ts";
import { scanStandards } from "./scan.ts";
import { termReader } from "./text/terms.ts";

/** The parts that a searchable folder of standards needs. */
export type StandardsDeps = {
  readonly folder: string;
  /** Returns the snapshot that lists them. */
  readonly current: () => Promise<DefinitionSnapshot>;
  /** The folder of the index and cached embeddings. */
  readonly indexFolder: string;
  readonly embeddings?: EmbeddingSource | undefined;
  /** The token budget of an answer, if a search names none. */
  readonly budget?: number | undefined;
  /** Warnings for every answer. */
  readonly warnings?: readonly string[];
  /** The time in milliseconds that a search waits for the index before it scans instead. */
  readonly patience?: number | undefined;
  readonly now?: (() => number) | undefined;
};

const defaults = { limit: 3, budget: 600, patience: 1000 } as const;
const mostResults = 100;
/** The depth to which the two rankings are fused. */
const fusedDepth = 50;

/** Opens a folder of standards for search; nothing is read before the first search. */
export function openStandards(deps: StandardsDeps): Standards {
  const { folder, current, indexFolder, embeddings, patience, budget = defaults.budget, now = Date.now } = deps;
  const { read: readText, keep: onText } = cachedTextReader(folder);
  const keeper = indexKeeper({ folder, current, path: join(indexFolder, "standards.idx"), onText }, now);
  const eachTerm = termReader();
  const visibleOf = rememberVisible();
  const near = embeddings === undefined ? undefined : nearness(embeddings, indexFolder, readText, { now });

  async function passagesFor(index: Inverted, query: Query, options: SearchOptions, limit: number): Promise<Passage[]> {
    const used = new Uint8Array(index.documents.length);
    index.described.forEach((document, at) => {
      used[at] = isVisible(document, options) && matchesFilter(document, options) ? 1 : 0;
    });
    const depth = near === undefined ? limit : Math.max(limit, fusedDepth);
    const byWords = rankFiles(index, visibleOf(index, used), weightedTerms(query, index.words), depth);
    const byNearness = (await near?.rank(index, used, query.text, depth)) ?? [];
    return spreadOverFiles(index, byNearness.length === 0 ? byWords : fuse(byWords, byNearness), limit);
  }

  async function textsOf(passages: readonly Passage[]) {
    const found: { readonly passage: Passage; readonly text: string }[] = [];
    for await (const [passage, text] of readAhead(passages, ({ file, hash }) => readText(file, hash)))
      if (text !== undefined) found.push({ passage, text: text.slice(passage.start, passage.end) });
    return found;
  }

  /** The index, or a scan if there is none yet. */
  async function indexFor(query: Query, options: SearchOptions): Promise<{ index: Inverted; warnings: string[] }> {
    const built = await keeper.current(patience ?? defaults.patience);
    if (built !== undefined) return { index: built, warnings: [] };
    const mayUse = (document: DescribedDocument) => isVisible(document, options) && matchesFilter(document, options);
    return { index: await scanStandards(await current(), query, mayUse, eachTerm), warnings: [scanWarning] };
  }

  return {
    async search(text, options = {}) {
      const query = parseQuery(text);
      const limit = Math.min(Math.max(1, Math.floor(options.limit ?? defaults.limit) || defaults.limit), mostResults);
      let { index, warnings } = await indexFor(query, options);
      let passages = await passagesFor(index, query, options, limit);
      let found = await textsOf(passages);
      if (found.length < passages.length) {
        const read = new Set(found.map(({ passage }) => passage.file));
        keeper.suspect(passages.flatMap(({ file }) => (read.has(file) ? [] : [file]))); // they changed meanwhile
        ({ index, warnings } = await indexFor(query, options));
        passages = await passagesFor(index, query, options, limit);
        found = await textsOf(passages);
      }
      const results = composeResults(found, options.budget ?? budget, query, eachTerm);
      return {
        results,
        totalTokens: results.reduce((sum, { tokens }) => sum + tokens, 0),
        warnings: [
          ...(deps.warnings ?? []),
          ...aboutQuery(query),
          ...warnings,
          ...keeper.warnings(),
          ...(near?.warnings() ?? []),
          ...problemsOf(index, options),
        ],
      };
    },
    async ready() {
      await keeper.current(Number.POSITIVE_INFINITY);
    },
    async close() {
      await keeper.saved();
      await near?.saved();
    },
  };
}

const scanWarning =
  "The search index is still being built, so this answer comes from a quick scan. Search again later for better results.";

function aboutQuery({ isCut, terms }: Query): string[] {
  if (terms.size === 0) return ["The query has no words to search for."];
  return isCut ? ["The query is too long; only its beginning was used."] : [];
}

function problemsOf({ documents, described, troubled }: Inverted, options: SearchOptions): string[] {
  return troubled.flatMap((at) => {
    const [record, document] = [documents[at], described[at]];
    const mayTell = document !== undefined && isVisible(document, options);
    return mayTell && record?.problem !== undefined ? [`${record.file}: ${record.problem}.`] : [];
  });
}
