import { parseDocument } from "../chunks/document.ts";
import { termReader } from "../text/terms.ts";
import { dictionary } from "./dictionary.ts";
import { invert } from "./inverted.ts";
import { type DocumentRecord, recordOf } from "./record.ts";

/** An index of some texts by file name, in memory. */
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
