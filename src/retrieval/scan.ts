import { join } from "node:path";
import type { DefinitionSnapshot } from "../engine/ports/definition-snapshot.ts";
import type { Query } from "./answer/query.ts";
import { parseDocument } from "./chunks/document.ts";
import { frontMatterOf } from "./chunks/document-head.ts";
import { type DescribedDocument, describeDocument } from "./document-access.ts";
import { dictionary } from "./index/dictionary.ts";
import { type DocumentRecord, recordOf } from "./index/document-record.ts";
import { type Inverted, invert } from "./index/inverted.ts";
import { listStandards } from "./index/list-standards.ts";
import { readAhead } from "./index/read-ahead.ts";
import { readDocument } from "./index/read-document.ts";
import { yieldAfter } from "./index/yield-after.ts";
import type { EachTerm } from "./text/terms.ts";

/** The number of promising files that are read closely. */
const readClosely = 24;

/** Searches without an index: scans every usable file for the query's words and indexes the most promising ones. */
export async function scanStandards(
  definitions: DefinitionSnapshot,
  query: Query,
  mayUse: (document: DescribedDocument) => boolean,
  eachTerm: EachTerm,
): Promise<Inverted> {
  const stems = [...query.terms.keys()].map((term) => term.slice(0, Math.max(3, term.length - 1)));
  const breathe = yieldAfter();
  const candidates: {
    readonly file: string;
    readonly text: string;
    readonly hash: string;
    readonly holds: boolean[];
  }[] = [];
  const { files } = listStandards(definitions);
  const folder = join(definitions.folder, "standards");
  for await (const [file, reading] of readAhead(files.keys(), (name) => readDocument(join(folder, name)))) {
    if (reading.kind !== "text") continue;
    const { tags, belongs } = frontMatterOf(reading.text);
    if (!mayUse(describeDocument(file, tags, belongs))) continue;
    const lower = `${file}\n${reading.text}`.toLowerCase();
    const holds = stems.map((stem) => lower.includes(stem));
    if (holds.includes(true)) candidates.push({ file, text: reading.text, hash: reading.hash, holds });
    await breathe();
  }
  const rarity = stems.map((_, at) => 1 / (1 + candidates.filter(({ holds }) => holds[at]).length));
  const promise = (holds: readonly boolean[]) => rarity.reduce((sum, worth, at) => sum + (holds[at] ? worth : 0), 0);
  const words = dictionary();
  const records: DocumentRecord[] = [];
  candidates.sort((a, b) => promise(b.holds) - promise(a.holds));
  for (const { file, text, hash } of candidates.slice(0, readClosely))
    records.push(await recordOf(file, hash, parseDocument(text), { words, eachTerm, breathe }));
  records.sort((a, b) => (a.file < b.file ? -1 : 1));
  return invert(records, words);
}
