import { join } from "node:path";
import { readDocument } from "../index/read-document.ts";

/** Reads the indexed text of a document; undefined if it has changed since. */
export type TextReader = (file: string, hash: string) => Promise<string | undefined>;

/** Keeps the text of a document that was read. */
export type KeepText = (file: string, hash: string, text: string) => void;

/** Creates a reader with a cache of recent texts, limited in characters. */
export function cachedTextReader(folder: string, most = 16_000_000): { readonly read: TextReader; keep: KeepText } {
  const known = new Map<string, { readonly hash: string; readonly text: string }>();
  let size = 0;
  const forget = (file: string): void => {
    size -= known.get(file)?.text.length ?? 0;
    known.delete(file);
  };
  const keep: KeepText = (file, hash, text) => {
    forget(file);
    known.set(file, { hash, text });
    size += text.length;
    for (const oldest of known.keys()) {
      if (size <= most) break;
      forget(oldest);
    }
  };
  return {
    keep,
    async read(file, hash) {
      const before = known.get(file);
      const reading = before?.hash === hash ? before : await readDocument(join(folder, file));
      forget(file);
      if (reading.hash !== hash || !("text" in reading)) return undefined;
      keep(file, hash, reading.text);
      return reading.text;
    },
  };
}
