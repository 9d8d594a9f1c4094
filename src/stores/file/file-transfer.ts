import { Unavailable } from "../../kit/unavailable.ts";
import { streamName } from "../../workflow/stream-id.ts";
import { verifyLines } from "../chain/verify-lines.ts";
import type { HistoryTransfer } from "../store.ts";
import { openJournal } from "./journal.ts";
import { streamPaths } from "./stream-paths.ts";

/** Bytes per write. */
const atOnce = 1 << 20;

/** Imports and exports a project area's histories byte by byte. */
export function fileTransfer(area: string): HistoryTransfer {
  return {
    async forked(id) {
      const journal = openJournal(streamPaths(area, id).journal, area, { line: () => {}, beganAgain: () => {} });
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
    async restore(id, texts, forked) {
      const journal = openJournal(streamPaths(area, id).journal, area, { line: () => {}, beganAgain: () => {} });
      try {
        for (const part of inParts([...texts, ...forked])) {
          if (journal.catchUp() && journal.write(part)) continue;
          throw new Unavailable(
            `The history of ${streamName(id)} could not be written completely.`,
            "Make the project area writable (disk space, permissions), then import it again: existing records are skipped.",
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
