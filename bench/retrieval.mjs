import { existsSync, readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { asFolder, ownCollection, quality, readCollection, withAccents, withTypo } from "./retrieval/collections.mjs";
import { loadOurs, miniSearch, ourIndex } from "./retrieval/engines.mjs";
import { copies, inMemory, miniInMemory, onFiles } from "./retrieval/speed.mjs";

/**
 * How well and how fast standards are found, ours beside MiniSearch (tuned), with our one configuration and no embeddings.
 * The collections are not part of the project: `node bench/retrieval.mjs [FOLDER] [--quick] [--strict]`.
 */
const given = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
const shared = resolve(given ?? fileURLToPath(new URL("../../shared/data/retrieval", import.meta.url)));
if (!existsSync(shared)) {
  console.log(`No collections at ${shared}: give their folder as an argument. Nothing was measured.`);
  process.exit(0);
}

const ours = await loadOurs();
const percent = (share) => `${(share * 100).toFixed(1)}%`;
const show = (name, { ndcg, first, three }) =>
  console.log(
    `  ${name.padEnd(34)} nDCG@10 ${ndcg.toFixed(3)}   first ${percent(first)}   first three ${percent(three)}`,
  );
const gate = (title, value, least) => {
  const isMet = value >= least;
  console.log(`  ${title}: ${value.toFixed(3)} (at least ${least}, ${isMet ? "met" : "MISSED"})`);
  if (!isMet && process.argv.includes("--strict")) process.exitCode = 1;
};
const most = (title, value, budget, unit = "ms") => {
  const isMet = value <= budget;
  console.log(`  ${title}: ${value.toFixed(2)} ${unit} (budget ${budget} ${unit}, ${isMet ? "within" : "OVER"})`);
  if (!isMet && process.argv.includes("--strict")) process.exitCode = 1;
};

const targets = {
  standards: [
    ["nDCG@10", "ndcg", 0.92],
    ["the right file first", "first", 0.78],
    ["the right file among the first three", "three", 0.92],
  ],
  aero: [["nDCG@10", "ndcg", 0.415]],
  "our own guides and templates": [],
};
const home = fileURLToPath(new URL("..", import.meta.url));
for (const [name, target] of Object.entries(targets)) {
  const isOwn = target.length === 0;
  const collection = isOwn ? ownCollection(home) : readCollection(join(shared, name));
  if (collection === undefined) {
    console.log(`${name}: not there, left out`);
    continue;
  }
  const { documents, queries } = collection;
  console.log(`${name}: ${documents.length} documents, ${queries.length} questions`);
  const { rank } = await ourIndex(ours, documents);
  const mini = miniSearch(ours, documents);
  const own = quality(queries, ({ text }) => rank(text));
  show("Waymark", own);
  for (const [half, title] of [
    [0, "  one half of the questions"],
    [1, "  the other half"],
  ])
    show(
      title,
      quality(
        queries.filter((_, at) => at % 2 === half),
        ({ text }) => rank(text),
      ),
    );
  if (mini === undefined) console.log("  MiniSearch is not installed");
  else {
    const theirs = quality(queries, ({ text }) => mini.rank(text));
    show("MiniSearch, tuned", theirs);
    gate("ahead of MiniSearch, nDCG@10", own.ndcg - theirs.ndcg, 0);
  }
  for (const [title, measure, least] of target) gate(title, own[measure], least);
  const asked = (change, rankWith) => quality(queries, ({ text }) => rankWith(change(text)));
  const typo = (text) => withTypo(text, ours.isStopWord);
  const misspelled = asked(typo, rank);
  show("  one typo in each question", misspelled);
  most("lost by one typo, nDCG@10", own.ndcg - misspelled.ndcg, 0.04, "");
  show("  accents on every vowel", asked(withAccents, rank));
  if (mini !== undefined) {
    show("  one typo, MiniSearch", asked(typo, mini.rank));
    show("  accents, MiniSearch", asked(withAccents, mini.rank));
  }
  if (name === "standards") {
    reportParaphrases(queries, rank, mini);
    await reportContext(documents, queries);
    await reportSpeed(documents, queries);
  }
}

function reportParaphrases(queries, rank, mini) {
  const lines = readFileSync(new URL("./retrieval/paraphrases.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const reworded = lines.flatMap((line) => {
    const { query_id, text, terms } = JSON.parse(line);
    const query = queries.find(({ id }) => id === query_id);
    return query === undefined ? [] : [{ ...query, text, terms, original: query.text }];
  });
  show(
    `${reworded.length} questions as they were`,
    quality(reworded, ({ original }) => rank(original)),
  );
  show(
    "  reworded without their key terms",
    quality(reworded, ({ text }) => rank(text)),
  );
  const helped = quality(reworded, ({ text, terms }) => rank(text, 10, terms));
  show("  reworded, with terms", helped);
  gate("reworded questions with terms, nDCG@10", helped.ndcg, 0.6);
  if (mini === undefined) return;
  show(
    "  reworded, MiniSearch",
    quality(reworded, ({ text }) => mini.rank(text)),
  );
  show(
    "  reworded, with terms, MiniSearch",
    quality(reworded, ({ text, terms }) => mini.rank(`${text} ${terms.join(" ")}`)),
  );
}

/** Compares the cost of an answer with the file that holds it and with all files that it came from. */
async function reportContext(documents, queries) {
  const { openWith, remove } = asFolder(documents);
  const search = openWith(ours);
  await search.ready();
  const cost = new Map(documents.map(({ file, text }) => [file, ours.estimateTokens(text)]));
  const sum = { answer: 0, holding: 0, sources: 0 };
  for (const { text, answers } of queries) {
    const { results } = await search.search(text);
    sum.answer += results.reduce(
      (all, { content, file, section }) => all + ours.estimateTokens(`${file} ${section} ${content}`),
      0,
    );
    sum.holding += [...answers.keys()].reduce((all, id) => all + (cost.get(id) ?? 0), 0);
    sum.sources += results.reduce((all, { file }) => all + (cost.get(file) ?? 0), 0);
  }
  await search.close();
  remove();
  console.log(
    `  an answer costs ${Math.round(sum.answer / queries.length)} tokens (characters / 4, with file and section); the file that holds it ${Math.round(sum.holding / queries.length)}; the three files it came from ${Math.round(sum.sources / queries.length)}`,
  );
  gate("context saved against the one right file", 1 - sum.answer / sum.holding, 0.85);
  gate("context saved against the three files", 1 - sum.answer / sum.sources, 0.85);
}

async function reportSpeed(documents, queries) {
  const ten = copies(ours, documents, 10_000);
  const [load = 0] = loadavg();
  console.log(`speed at 10,000 chunks in ${ten.length} files (${cpus().length} cores, load ${load.toFixed(1)})`);
  const files = await onFiles(ours, ten, queries);
  most("query p50, three results, whole way", files.query, 0.5);
  most("query p50 with one typo", files.misspelled, 4);
  console.log(`  query p50, ten results: ${files.queryTen.toFixed(2)} ms`);
  const memory = await inMemory(ours, ten, queries);
  console.log(`  ranking alone, p50: ${memory.query.toFixed(2)} ms`);
  most("loading the saved index", memory.load, 30);
  console.log(`  opening, loading and looking at every file: ${files.load.toFixed(1)} ms`);
  most("ten changed files re-indexed", files.change, 50);
  console.log(`  building: ${files.build.toFixed(0)} ms; index file ${(files.size / 1e6).toFixed(1)} MB`);
  const mini = await miniInMemory(ours, ten, queries);
  if (mini !== undefined)
    console.log(
      `  MiniSearch: query p50 ${mini.query.toFixed(2)} ms, loading ${mini.load.toFixed(0)} ms, ${(mini.size / 1e6).toFixed(1)} MB`,
    );
  if (process.argv.includes("--quick")) return;
  const hundred = await inMemory(ours, copies(ours, documents, 100_000), queries);
  console.log(
    `speed at ${hundred.chunks.toLocaleString("en")} chunks: ranking p50 ${hundred.query.toFixed(2)} ms, loading ${hundred.load.toFixed(0)} ms, ${(hundred.size / 1e6).toFixed(1)} MB`,
  );
}
