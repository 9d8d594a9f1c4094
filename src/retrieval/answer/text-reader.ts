import { join } from "node:path";
import { readDocument } from "../index/read-document.ts";

/** Reads the indexed text of a document; undefined if it has changed since. */
export type TextReader = (file: string, hash: string) => Promise<string | undefined>;

/** Creates a reader with a cache of recent texts, limited in characters. */
export function cachedTextReader(folder: string, most = 16_000_000): TextReader {
  const known = new Map<string, { readonly hash: string; readonly text: string }>();
  let size = 0;
  const forget = (file: string) => {
    size -= known.get(file)?.text.length ?? 0;
    known.delete(file);
  };
  return async (file, hash) => {
    const before = known.get(file);
    const reading = before?.hash === hash ? before : await readDocument(join(folder, file));
    forget(file);
    if (reading.hash !== hash || !("text" in reading)) return undefined;
    known.set(file, { hash, text: reading.text });
    size += reading.text.length;
    for (const oldest of known.keys()) {
      if (size <= most) break;
      forget(oldest);
    }
    return reading.text;
  };
}
