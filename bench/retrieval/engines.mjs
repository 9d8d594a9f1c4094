import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const home = fileURLToPath(new URL("../..", import.meta.url));

/** The retrieval room as it is now, bundled as the product bundles it. */
export async function loadOurs() {
  const folder = mkdtempSync(join(tmpdir(), "waymark-retrieval-"));
  const outfile = join(folder, "retrieval.mjs");
  const parts = [
    "standards.ts",
    "chunks/document.ts",
    "answer/query.ts",
    "answer/resolve-query.ts",
    "index/dictionary.ts",
    "index/index-file.ts",
    "index/inverted.ts",
    "index/document-record.ts",
    "ranking/rank.ts",
    "ranking/visible-documents.ts",
    "text/terms.ts",
    "text/stem.ts",
    "text/stop-words.ts",
  ];
  await build({
    stdin: {
      contents: [
        ...parts.map((part) => `retrieval/${part}`),
        "definitions/snapshot/keep-snapshot.ts",
        "kit/estimate-tokens.ts",
      ]
        .map((part) => `export * from "./src/${part}";`)
        .join("\n"),
      resolveDir: home,
      loader: "ts",
    },
    alias: { yaml: join(home, "node_modules/yaml/browser/index.js") },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    outfile,
    logLevel: "warning",
  });
  const ours = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true });
  return ours;
}

/** Our index of some documents, in memory, and a function that ranks whole files. */
export async function ourIndex(ours, documents) {
  const words = ours.dictionary();
  const eachTerm = ours.termReader();
  const records = [];
  for (const { file, text } of documents)
    records.push(
      await ours.recordOf(file, "0".repeat(22), ours.parseDocument(text), {
        words,
        eachTerm,
        breathe: () => undefined,
      }),
    );
  const index = ours.invert(records, words);
  const visible = ours.visibleOf(index, new Uint8Array(records.length).fill(1));
  return {
    index,
    words,
    rank: (text, wanted = 10, terms = []) =>
      ours
        .rankFiles(index, visible, ours.resolveQuery(ours.parseQuery(text, terms), index, visible).weights, wanted)
        .map(({ document }) => documents[document].id),
  };
}

/** MiniSearch over the same chunks, tuned: stems, stop words, k 1.2, b 0.75, d 0, no prefix, no fuzzy; files by their best chunk. Undefined where it is not installed. */
export function miniSearch(ours, documents) {
  const require = createRequire(import.meta.url);
  let MiniSearch;
  try {
    const found = require("minisearch");
    MiniSearch = found.default ?? found;
  } catch {
    return undefined;
  }
  const processTerm = (term) => {
    const word = term.toLowerCase();
    return ours.isStopWord(word) ? null : ours.stem(word);
  };
  const options = {
    fields: ["title", "headings", "text"],
    storeFields: ["document"],
    processTerm,
    searchOptions: {
      bm25: { k: 1.2, b: 0.75, d: 0 },
      boost: { title: 1, headings: 1, text: 1 },
      prefix: false,
      fuzzy: false,
    },
  };
  const mini = new MiniSearch(options);
  const chunks = documents.flatMap((document, at) => {
    const parsed = ours.parseDocument(document.text);
    return parsed.chunks.map(({ start, end, headings }, chunk) => ({
      id: `${at} ${chunk}`,
      document: document.id,
      title: parsed.title,
      headings: headings.slice(1).join("\n"),
      text: document.text.slice(start, end),
    }));
  });
  mini.addAll(chunks);
  return {
    rank: (text) => [...new Set(mini.search(text).map(({ document }) => document))],
    save: () => JSON.stringify(mini),
    load: (json) => MiniSearch.loadJSON(json, options),
  };
}
