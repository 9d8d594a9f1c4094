import { statSync } from "node:fs";
import { join } from "node:path";
import { median, timed } from "../wire.mjs";
import { asFolder, withTypo } from "./collections.mjs";
import { miniSearch, ourIndex } from "./engines.mjs";

/** Enough documents for so many chunks: copies of the given ones, each copy with some words of its own. */
export function copies(ours, documents, wanted) {
  const made = [];
  let chunks = 0;
  for (let copy = 0; chunks < wanted; copy++)
    for (const { file, title, text } of documents) {
      if (chunks >= wanted) break;
      const own = text.replace(/\b([a-z]{6,})\b/g, (word, _, at) => (at % 29 === 0 ? `${word}${copy}` : word));
      made.push({ id: `${copy}/${file}`, file: `${copy}/${file}`, title, text: own });
      chunks += ours.parseDocument(own).chunks.length;
    }
  return made;
}

/** The whole way, on files: first answer without an index, loading, a query, and ten changed files. */
export async function onFiles(ours, documents, queries) {
  const { openWith, write, indexFolder, remove } = asFolder(documents);
  const open = () => openWith(ours);
  const first = open();
  const build = await timed(() => first.ready());
  await first.close();
  await new Promise((resolve) => setTimeout(resolve, 150)); // files as young as these would be read once more
  const second = open();
  await second.ready();
  await second.close();

  const searched = open();
  const load = await timed(() => searched.ready());
  const times = { 3: [], 10: [], misspelled: [] };
  for (const limit of [3, 10])
    for (let round = 0; round < 3; round++)
      for (const { text } of queries) {
        const time = await timed(() => searched.search(text, { limit }));
        if (round > 0) times[limit].push(time);
      }
  for (const { text } of queries)
    times.misspelled.push(await timed(() => searched.search(withTypo(text, ours.isStopWord))));
  const changes = [];
  for (let round = 0; round < 5; round++) {
    documents.slice(round * 10, round * 10 + 10).forEach(({ file, text }) => {
      write(file, `${text}\n\n## Added\n\nA word more: zebra${round}.\n`);
    });
    changes.push(await timed(() => searched.ready()));
    const { results } = await searched.search(`zebra${round}`, { limit: 10 });
    if (results.length !== 10) throw new Error(`${results.length} of 10 changed files were found`);
  }
  await searched.close();
  const size = statSync(join(indexFolder, "standards.idx")).size;
  remove();
  return {
    build,
    load,
    query: median(times[3]),
    queryTen: median(times[10]),
    misspelled: median(times.misspelled),
    change: median(changes),
    size,
  };
}

/** In memory: ranking alone, and turning a saved index into one that answers. */
export async function inMemory(ours, documents, queries) {
  const { rank, index, words } = await ourIndex(ours, documents);
  const bytes = ours.encodeIndex({
    words,
    documents: index.documents.map((record) => ({ record, key: "", isYoung: false })),
  });
  const loads = [];
  for (let round = 0; round < 3; round++)
    loads.push(
      await timed(() => {
        const saved = ours.decodeIndex(bytes);
        ours.invert(
          saved.documents.map(({ record }) => record),
          saved.words,
          saved.postings,
        );
      }),
    );
  const times = [];
  for (const { text } of queries) times.push(await timed(() => rank(text, 3)));
  return {
    chunks: index.documentOf.length - documents.length,
    query: median(times),
    load: median(loads),
    size: bytes.length,
  };
}

/** The same for MiniSearch. */
export async function miniInMemory(ours, documents, queries) {
  const mini = miniSearch(ours, documents);
  if (mini === undefined) return undefined;
  const json = mini.save();
  const load = await timed(() => mini.load(json));
  const times = [];
  for (const { text } of queries.slice(0, 60)) times.push(await timed(() => mini.rank(text)));
  return { query: median(times), load, size: json.length };
}
