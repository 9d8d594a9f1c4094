import { readQuery, weighted } from "./answer/query.ts";
import { parseDocument } from "./chunks/document.ts";
import { plain } from "./chunks/plain.ts";
import { breather } from "./index/breath.ts";
import { dictionary } from "./index/dictionary.ts";
import { type Inverted, invert } from "./index/inverted.ts";
import { recordOf } from "./index/record.ts";
import { rankFiles } from "./ranking/rank.ts";
import { visibleOf } from "./ranking/visible.ts";
import { type EachTerm, termReader } from "./text/terms.ts";

/** How well standards are found by the questions that they say they answer. */
export type Findability = {
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
 */
export async function findability(
  documents: readonly { readonly file: string; readonly text: string }[],
): Promise<Findability> {
  const eachTerm = termReader();
  const inOrder = [...documents].sort((a, b) => (a.file < b.file ? -1 : 1));
  const parsed = inOrder.map(({ file, text }) => ({ file, parsed: parseDocument(text) }));
  const index = await indexWithoutQuestions(parsed, eachTerm);
  const visible = visibleOf(index, new Uint8Array(index.documents.length).fill(1));
  const outcomes = parsed.flatMap(({ file, parsed: { questions, text } }) =>
    questions.map((question) => {
      const terms = weighted(readQuery(question, eachTerm), index.words);
      const found = rankFiles(index, visible, terms, depth).map(
        ({ document }) => index.documents[document]?.file ?? "",
      );
      return { file, line: lineOf(text, question), question, place: placeIn(found, file), found: found.slice(0, 3) };
    }),
  );
  const within = (most: number) => outcomes.filter(({ place }) => place !== undefined && place <= most).length;
  return {
    asked: outcomes.length,
    first: within(1),
    firstThree: within(3),
    missed: outcomes.filter(({ place }) => place !== 1),
  };
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
