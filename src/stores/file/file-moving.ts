import { Unavailable } from "../../evidence/unavailable.ts";
import { verifyLines } from "../chain/verify-lines.ts";
import { nameOf } from "../desk-key.ts";
import type { Moving } from "../store.ts";
import { openJournal } from "./journal.ts";
import { journalOf } from "./places.ts";

/** So many bytes go into one write. */
const atOnce = 1 << 20;

/** Moves the histories of a project area into its journals and out of them, byte by byte. */
export function fileMoving(area: string): Moving {
  return {
    async aside(id) {
      const journal = openJournal(journalOf(area, id), area, { line: () => {}, beganAnew: () => {} });
      try {
        journal.catchUp();
        const { lines } = verifyLines(journal.scan);
        const offsets = new Set(
          lines.flatMap(({ kind, offset }) => (kind === "aside" || kind === "accepted" ? [offset] : [])),
        );
        const texts: string[] = [];
        if (offsets.size > 0)
          journal.scan((bytes, offset) => {
            if (offsets.has(offset)) texts.push(bytes.toString("utf8"));
          });
        return texts;
      } finally {
        journal.close();
      }
    },
    async restore(id, texts, aside) {
      const journal = openJournal(journalOf(area, id), area, { line: () => {}, beganAnew: () => {} });
      try {
        for (const part of inParts([...texts, ...aside])) {
          if (journal.catchUp() && journal.write(part)) continue;
          throw new Unavailable(
            `The history of ${nameOf(id)} could not be written whole.`,
            "Make the project area writable (disk space, permissions), and bring it in again: what is there is not doubled.",
          );
        }
      } finally {
        journal.close();
      }
    },
  };
}

function* inParts(texts: readonly string[]): Generator<string> {
  let part: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    part.push(text);
    bytes += text.length;
    if (bytes < atOnce) continue;
    yield part.join("\n");
    [part, bytes] = [[], 0];
  }
  if (part.length > 0) yield part.join("\n");
}
