import { join } from "node:path";
import { readQuery, weighted } from "./answer/query.ts";
import { parseDocument } from "./chunks/document.ts";
import type { Belonging } from "./chunks/front-matter.ts";
import { plain } from "./chunks/plain.ts";
import { breather } from "./index/breath.ts";
import { dictionary } from "./index/dictionary.ts";
import { type Inverted, invert } from "./index/inverted.ts";
import { look } from "./index/look.ts";
import { readAhead } from "./index/read-ahead.ts";
import { readDocument } from "./index/read-document.ts";
import { recordOf } from "./index/record.ts";
import { rankFiles } from "./ranking/rank.ts";
import { rememberVisible } from "./ranking/visible.ts";
import { type EachTerm, termReader } from "./text/terms.ts";

/** How well standards are found by the questions that they say they answer. */
export type Findability = {
  /** How many documents there are, and how many of them list no questions. */
  readonly documents: number;
  readonly withoutQuestions: number;
  /** How many questions were asked, how many found their document first, and how many among the first three. */
  readonly asked: number;
  readonly first: number;
  readonly firstThree: number;
  /** Every question that did not find its document first. */
  readonly missed: readonly MissedQuestion[];
};

/** A question whose document others came before. */
export type MissedQuestion = {
  readonly file: string;
  readonly line: number;
  readonly question: string;
  /** The place of its document among the first ten, from 1; undefined where it is not there. */
  readonly place: number | undefined;
  /** What was found instead, the first three. */
  readonly found: readonly string[];
};

const depth = 10;

/**
 * Asks every question that a document lists and reports what it finds. The lists themselves are left out of the index
 * for this, those of all documents: a question finds its own words always, and readers do not ask in the author's words.
 * Each is asked by a reader who may see its document, among the documents that this reader may see.
 */
export async function findability(
  documents: readonly { readonly file: string; readonly text: string }[],
): Promise<Findability> {
  const inOrder = [...documents].sort((a, b) => (a.file < b.file ? -1 : 1));
  const parsed = inOrder.map(({ file, text }) => ({ file, parsed: parseDocument(text) }));
  const index = await indexWithoutQuestions(parsed, termReader());
  const visibleTo = rememberVisible();
  const outcomes = parsed.flatMap(({ file, parsed: { questions, text, belongs } }) => {
    const may = Uint8Array.from(index.documents, (other) => (maySee(belongs, other.belongs) ? 1 : 0));
    return questions.map((question) => {
      const terms = weighted(readQuery(question), index.words);
      const found = rankFiles(index, visibleTo(index, may), terms, depth).map(
        ({ document }) => index.documents[document]?.file ?? "",
      );
      return { file, line: lineOf(text, question), question, place: placeIn(found, file), found: found.slice(0, 3) };
    });
  });
  const within = (most: number) => outcomes.filter(({ place }) => place !== undefined && place <= most).length;
  return {
    documents: parsed.length,
    withoutQuestions: parsed.filter(({ parsed: { questions } }) => questions.length === 0).length,
    asked: outcomes.length,
    first: within(1),
    firstThree: within(3),
    missed: outcomes.filter(({ place }) => place !== 1),
  };
}

/** Reads a folder of standards, those that are searched, and asks them their questions. */
export async function findabilityIn(folder: string): Promise<Findability> {
  const { files } = await look(folder);
  const documents: { readonly file: string; readonly text: string }[] = [];
  for await (const [file, reading] of readAhead(files.keys(), (name) => readDocument(join(folder, name))))
    if (reading.kind === "text") documents.push({ file, text: reading.text });
  return findability(documents);
}

/** Whether someone who has only just come to read one document may see another: open ones, and those of phases up to its own. */
function maySee(read: Belonging, other: Belonging): boolean {
  if (other.kind !== "owned") return other.kind === "open";
  if (other.phases.length === 0) return true;
  if (read.kind !== "owned" || read.phases.length === 0) return false;
  const isSameWorkflow = [read.workflow, other.workflow].includes(undefined) || read.workflow === other.workflow;
  return isSameWorkflow && other.phases.some((phase) => phase <= Math.min(...read.phases));
}

async function indexWithoutQuestions(
  documents: readonly { readonly file: string; readonly parsed: ReturnType<typeof parseDocument> }[],
  eachTerm: EachTerm,
): Promise<Inverted> {
  const words = dictionary();
  const breathe = breather();
  const records = [];
  for (const { file, parsed } of documents) {
    const bare = { ...parsed, questions: [], chunks: parsed.chunks.filter(({ asks }) => !asks) };
    records.push(await recordOf(file, "", bare, { words, eachTerm, breathe }));
  }
  return invert(records, words);
}

function placeIn(found: readonly string[], file: string): number | undefined {
  const at = found.indexOf(file);
  return at === -1 ? undefined : at + 1;
}

function lineOf(text: string, question: string): number {
  const at = text.split("\n").findIndex((line) => plain(line).includes(question));
  return at === -1 ? 1 : at + 1;
}
