import { join } from "node:path";
import type { DefinitionSnapshot } from "../engine/ports/definition-snapshot.ts";
import { parseQuery } from "./answer/query.ts";
import { resolveQuery } from "./answer/resolve-query.ts";
import { parseDocument } from "./chunks/document.ts";
import type { Ownership } from "./chunks/document-head.ts";
import { plain } from "./chunks/plain-line.ts";
import { dictionary } from "./index/dictionary.ts";
import { recordOf } from "./index/document-record.ts";
import { type Inverted, invert } from "./index/inverted.ts";
import { listStandards } from "./index/list-standards.ts";
import { readAhead } from "./index/read-ahead.ts";
import { readDocument } from "./index/read-document.ts";
import { yieldAfter } from "./index/yield-after.ts";
import { rankFiles } from "./ranking/rank.ts";
import { rememberVisible } from "./ranking/visible-documents.ts";
import { type EachTerm, termReader } from "./text/terms.ts";

/** The rate at which standards are found by the questions they list. */
export type Findability = {
  /** The number of documents, and of those without questions. */
  readonly documents: number;
  readonly withoutQuestions: number;
  /** The number of questions, of those that found their document first, and among the first three. */
  readonly asked: number;
  readonly first: number;
  readonly firstThree: number;
  /** Every question that did not find its document first. */
  readonly missed: readonly MissedQuestion[];
};

/** A question that found other documents before its own. */
export type MissedQuestion = {
  readonly file: string;
  readonly line: number;
  readonly question: string;
  /** The rank of its document among the first ten, from 1; undefined if it is not there. */
  readonly place: number | undefined;
  /** The first three documents found instead. */
  readonly found: readonly string[];
};

const depth = 10;

/** Asks every question that a document lists, as a reader who may see that document; the question lists themselves are not indexed here. */
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
      const visible = visibleTo(index, may);
      const { weights } = resolveQuery(parseQuery(question), index, visible);
      const found = rankFiles(index, visible, weights, depth).map(
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

/** Reads the searchable standards of a definitions folder and asks them their questions. */
export async function findabilityIn(definitions: DefinitionSnapshot): Promise<Findability> {
  const { files } = listStandards(definitions);
  const folder = join(definitions.folder, "standards");
  const documents: { readonly file: string; readonly text: string }[] = [];
  for await (const [file, reading] of readAhead(files.keys(), (name) => readDocument(join(folder, name))))
    if (reading.kind === "text") documents.push({ file, text: reading.text });
  return findability(documents);
}

/** True if a reader of one document may see another: open ones, and those of phases up to its own. */
function maySee(read: Ownership, other: Ownership): boolean {
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
  const breathe = yieldAfter();
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
