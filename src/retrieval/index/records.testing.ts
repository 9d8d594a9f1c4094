import { parseDocument } from "../chunks/document.ts";
import { termReader } from "../text/terms.ts";
import { dictionary } from "./dictionary.ts";
import { type DocumentRecord, recordOf } from "./document-record.ts";
import { invert } from "./inverted.ts";

/** Builds an index in memory from texts by file name. */
export async function indexOf(files: Readonly<Record<string, string>>) {
  const words = dictionary();
  const eachTerm = termReader();
  const records: DocumentRecord[] = [];
  for (const file of Object.keys(files).sort())
    records.push(
      await recordOf(file, file.padEnd(22, "."), parseDocument(files[file] ?? ""), {
        words,
        eachTerm,
        breathe: () => undefined,
      }),
    );
  return { index: invert(records, words), words, records, eachTerm };
}
