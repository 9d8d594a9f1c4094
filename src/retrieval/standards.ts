import { join } from "node:path";
import type { DefinitionSnapshot } from "../engine/ports/definition-snapshot.ts";
import type { SearchOptions, SearchResult, Standards } from "../engine/ports/search.ts";
import { composeResults } from "./answer/compose-answer.ts";
import { type Passage, spreadOverFiles } from "./answer/passages.ts";
import { parseQuery, type Query } from "./answer/query.ts";
import { isWeakMatch, resolveQuery } from "./answer/resolve-query.ts";
import { cachedTextReader } from "./answer/text-reader.ts";
import { weakMatchHint } from "./answer/weak-match.ts";
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

  async function look(index: Inverted, query: Query, options: SearchOptions, limit: number): Promise<Look> {
    const visible = visibleOf(index, usableDocuments(index, options));
    const resolved = resolveQuery(query, index, visible);
    const depth = near === undefined ? limit : Math.max(limit, fusedDepth);
    const byWords = rankFiles(index, visible, resolved.weights, depth);
    const byNearness = (await near?.rank(index, visible.documents, query.text, depth)) ?? [];
    const files = byNearness.length === 0 ? byWords : fuse(byWords, byNearness);
    const passages = spreadOverFiles(index, files, limit);
    const isWeak = isWeakMatch(query, resolved, index, visible, byWords[0]);
    return { passages, hint: isWeak ? weakMatchHint(query, resolved, passages) : undefined };
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
      const query = parseQuery(text, options.terms);
      const limit = Math.min(Math.max(1, Math.floor(options.limit ?? defaults.limit) || defaults.limit), mostResults);
      let { index, warnings } = await indexFor(query, options);
      let seen = await look(index, query, options, limit);
      let found = await textsOf(seen.passages);
      if (found.length < seen.passages.length) {
        const read = new Set(found.map(({ passage }) => passage.file));
        keeper.suspect(seen.passages.flatMap(({ file }) => (read.has(file) ? [] : [file]))); // they changed meanwhile
        ({ index, warnings } = await indexFor(query, options));
        seen = await look(index, query, options, limit);
        found = await textsOf(seen.passages);
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
          ...(seen.hint === undefined
            ? problemsOf(index, options, results)
            : [...keeper.links(), ...problemsOf(index, options)]),
        ],
        hint: seen.hint,
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

/** A look at an index: the passages found, and a hint if they match weakly. */
type Look = { readonly passages: readonly Passage[]; readonly hint: string | undefined };

const scanWarning =
  "The search index is still being built, so this answer comes from a quick scan. Search again later for better results.";

function aboutQuery({ isCut, terms }: Query): string[] {
  if (terms.size === 0) return ["The query has no words to search for."];
  return isCut ? ["The query is too long; only its beginning was used."] : [];
}

/** The problems of the files that an answer shows or, where nothing fits well, of all: one of them may be why. */
function problemsOf(
  { documents, described, troubled }: Inverted,
  options: SearchOptions,
  results?: readonly SearchResult[],
): string[] {
  return troubled.flatMap((at) => {
    const [{ file, problem } = {}, document] = [documents[at], described[at]];
    if (problem === undefined || document === undefined || !isVisible(document, options)) return [];
    return results === undefined || results.some((one) => one.file === file) ? [`${file}: ${problem}.`] : [];
  });
}

/** Marks the documents that a search may use; of identical ones only the first. */
function usableDocuments({ documents, described }: Inverted, options: SearchOptions): Uint8Array {
  const used = new Uint8Array(documents.length);
  const seen = new Set<string>();
  described.forEach((document, at) => {
    if (!isVisible(document, options) || !matchesFilter(document, options)) return;
    const hash = documents[at]?.hash ?? "";
    if (hash !== "" && seen.size === seen.add(hash).size) return;
    used[at] = 1;
  });
  return used;
}
