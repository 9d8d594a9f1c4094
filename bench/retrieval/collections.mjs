import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Reads one collection: documents as Markdown files, queries, and who answers them with what grade. Undefined where it is not there. */
export function readCollection(folder) {
  if (!existsSync(join(folder, "corpus.jsonl"))) return undefined;
  const lines = (name) => readFileSync(join(folder, name), "utf8").trim().split("\n");
  const answers = new Map();
  for (const line of lines("qrels.tsv").slice(1)) {
    const [query, document, grade] = line.split("\t");
    if (!answers.has(query)) answers.set(query, new Map());
    answers.get(query).set(document, Number(grade));
  }
  return {
    documents: lines("corpus.jsonl").map((line) => asFile(JSON.parse(line))),
    queries: lines("queries.jsonl").map((line) => {
      const { _id, text } = JSON.parse(line);
      return { id: _id, text, answers: answers.get(_id) ?? new Map() };
    }),
  };
}

/** What ships with the project, with questions about it: the guides and templates. */
export function ownCollection(home) {
  const inFolder = (folder) =>
    readdirSync(join(home, folder), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`);
  const files = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    ...inFolder("docs"),
    ...inFolder("templates"),
  ].sort();
  const asked = readFileSync(join(home, "bench/retrieval/own.jsonl"), "utf8").trim().split("\n");
  return {
    documents: files.map((file) => asFile({ _id: file, title: "", text: readFileSync(join(home, file), "utf8") })),
    queries: asked.map((line, at) => {
      const { text, file } = JSON.parse(line);
      if (!files.includes(file)) throw new Error(`bench/retrieval/own.jsonl: ${file} does not exist`);
      return { id: String(at), text, answers: new Map([[file, 1]]) };
    }),
  };
}

/** A document that has no title in its text gets it as a heading. */
function asFile({ _id, title, text }) {
  const isTitled = title === "" || text.includes(title);
  return {
    id: _id,
    file: /\.md$/.test(_id) ? _id : `${_id}.md`,
    title,
    text: isTitled ? text : `# ${title}\n\n${text}\n`,
  };
}

/** nDCG@10 and the share of questions with a right file first and among the first three; `rank` answers ids, the best first. */
export function quality(queries, rank) {
  const sum = { ndcg: 0, first: 0, three: 0 };
  for (const query of queries) {
    const found = rank(query).slice(0, 10);
    const isRight = (id) => (query.answers.get(id) ?? 0) > 0;
    sum.ndcg += gain(found.map((id) => query.answers.get(id) ?? 0)) / (gain(ideal(query.answers)) || 1);
    sum.first += isRight(found[0]) ? 1 : 0;
    sum.three += found.slice(0, 3).some(isRight) ? 1 : 0;
  }
  return { ndcg: sum.ndcg / queries.length, first: sum.first / queries.length, three: sum.three / queries.length };
}

function gain(grades) {
  return grades.reduce((sum, grade, place) => sum + grade / Math.log2(place + 2), 0);
}

function ideal(answers) {
  return [...answers.values()].sort((a, b) => b - a).slice(0, 10);
}

/** The text with one letter of one word exchanged, dropped, replaced or added; the same each time. */
export function withTypo(text, isStopWord) {
  const words = [...text.matchAll(/[A-Za-z]{5,}/g)].filter(([word]) => !isStopWord(word.toLowerCase()));
  if (words.length === 0) return text;
  const number = createHash("sha256").update(text).digest();
  const { 0: word, index } = words[number[0] % words.length];
  const at = 1 + (number[1] % (word.length - 2));
  const letter = String.fromCharCode(97 + (number[2] % 26));
  const tails = [
    word[at + 1] + word[at] + word.slice(at + 2),
    word.slice(at + 1),
    letter + word.slice(at + 1),
    letter + word.slice(at),
  ];
  return text.slice(0, index) + word.slice(0, at) + tails[number[3] % 4] + text.slice(index + word.length);
}

/** The text with accents on its vowels, as somebody else may write it. */
export function withAccents(text) {
  return text.replace(/[aeou]/g, (letter) => ({ a: "á", e: "é", o: "ö", u: "ü" })[letter]);
}

/** Puts documents on disk as a folder of standards. */
export function asFolder(documents) {
  const root = mkdtempSync(join(tmpdir(), "waymark-retrieval-"));
  const folder = join(root, "standards");
  const write = (file, text) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  for (const { file, text } of documents) write(file, text);
  const openWith = (ours) => {
    const { current } = ours.keepSnapshot(root, ours.standards);
    return ours.openStandards({ folder, indexFolder: join(root, "index"), current });
  };
  return { openWith, write, indexFolder: join(root, "index"), remove: () => rmSync(root, { recursive: true }) };
}
