import { genesisHash, type JournalRecord, toLine } from "../src/stores/chain/journal-record.ts";
import type { Event } from "../src/workflow/events.ts";
import type { Project } from "./project.ts";

/** Writes a history anew with its events changed, every hash right. */
export function forge(project: Project, file: string, change: (event: Event) => Event | readonly Event[]): void {
  let prev = genesisHash;
  const lines = project
    .read(file)
    .trimEnd()
    .split("\n")
    .map((text) => {
      const record: JournalRecord = JSON.parse(text);
      const line = toLine({ ...record, prev, events: record.events.flatMap(change) });
      prev = line.hash;
      return `${line.text}\n`;
    });
  project.write(file, lines.join(""));
}
