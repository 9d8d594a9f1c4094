import { resolve } from "node:path";
import { type AuditedStream, countedEvents } from "../audit/audit-streams.ts";
import { isPlainFile } from "../checks/files/read-plain.ts";
import { countText } from "../kit/count-text.ts";
import { findRunFolders } from "../repository/run-folders.ts";
import { contentOnRecord } from "../workflow/content-on-record.ts";

/** Adds a note to each history about the files its completed steps saved that are no longer there, each in its own work tree. */
export async function noteMissingFiles(streams: readonly AuditedStream[]): Promise<readonly AuditedStream[]> {
  const places = findRunFolders();
  return Promise.all(
    streams.map(async (stream) => {
      const recorded = contentOnRecord(stream.stream).flatMap(({ records }) => records.map(({ path }) => path));
      if (recorded.length === 0) return stream;
      const { area } = await places.of(resolve(stream.area.area), stream.run ?? stream.stream.session?.run);
      const absent: string[] = [];
      for (const path of new Set(recorded)) if (!(await isPlainFile(area, path))) absent.push(path);
      if (absent.length === 0) return stream;
      const erased = await forgottenPaths(stream);
      const missing = absent.filter((path) => !erased.has(path));
      if (missing.length === 0) return stream;
      const more = missing.length - mostNamed;
      const named = `${missing.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
      const note = `${countText(missing.length, "recorded file")} missing: ${named}`;
      return { ...stream, journal: { ...stream.journal, notes: [...(stream.journal.notes ?? []), note] } };
    }),
  );
}

/** The paths of a history's files whose newest content a person had erased. */
async function forgottenPaths(stream: AuditedStream): Promise<ReadonlySet<string>> {
  const hashes = new Set<string>();
  for (const event of await countedEvents(stream))
    if (event.type === "forgotten") for (const hash of event.hashes) hashes.add(hash);
  const records = contentOnRecord(stream.stream).flatMap((one) => one.records);
  return new Set(records.filter(({ sha256 }) => hashes.has(sha256)).map(({ path }) => path));
}

const mostNamed = 20;
