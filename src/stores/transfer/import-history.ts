import type { PinStore } from "../../engine/ports/pins.ts";
import { canonical } from "../../kit/json.ts";
import { sha256 } from "../../kit/sha256.ts";
import type { ContentRecord } from "../../workflow/events.ts";
import { attemptKey } from "../../workflow/step-ref.ts";
import { streamName } from "../../workflow/stream-id.ts";
import { verifyLines } from "../chain/verify-lines.ts";
import { collectContent, type NamedStore, pinsOf } from "./export-history.ts";
import { type HistoryLine, type MovedContent, type MovedStream, readHistoryLine } from "./history-lines.ts";

/** Thrown with the reason a history file is not imported; nothing of it was. */
export class ImportRefused extends Error {}

/** The result of importing a stream: its records, the new ones, and the last hash. */
export type ImportedStream = {
  readonly desk: MovedStream;
  readonly records: number;
  readonly added: number;
  readonly head: string;
  /** Files that differ or cannot be written; they are left alone. */
  readonly left: readonly string[];
};

/** The lines of a file, readable several times. */
export type LinesOf = () => AsyncIterable<string>;

/** Imports a history file byte by byte: checks all of it first, then adds what is missing; importing it again adds nothing. */
export async function importHistories(
  lines: LinesOf,
  stores: readonly NamedStore[],
  pins: PinStore,
  onStream: (done: number, total: number) => void = () => {},
): Promise<readonly ImportedStream[]> {
  const total = await checkFile(lines, stores);
  const taken: ImportedStream[] = [];
  for await (const part of partsOf(lines)) {
    if ("pin" in part)
      await pins.keep(part.pin); // pinned by a session of the file
    else {
      taken.push(await importStream(part, storeOf(stores, part.desk)));
      onStream(taken.length, total);
    }
  }
  return taken;
}

/** A stream with everything the file says about it. */
type Part = {
  readonly desk: MovedStream;
  readonly head: string;
  readonly records: string[];
  readonly aside: string[];
  readonly signed: Extract<HistoryLine, { signed: unknown }>["signed"][];
  readonly content: MovedContent[];
};

/** Checks the whole file before anything is written: it must be complete and match existing histories. */
async function checkFile(lines: LinesOf, stores: readonly NamedStore[]): Promise<number> {
  let streams = 0;
  const [copies, kept] = [new Set<string>(), new Set<string>()];
  for await (const part of partsOf(lines)) {
    if ("pin" in part) {
      copies.add(sha256(part.pin));
      continue;
    }
    streams += 1;
    checkPart(part, kept);
    await countExisting(part, storeOf(stores, part.desk));
  }
  if ([...copies].some((copy) => !kept.has(copy)))
    throw new ImportRefused("The file has a definition copy that none of its sessions uses. Nothing was imported.");
  return streams;
}

/** Checks that a stream's history is whole and covers its content; notes the definition copies it uses. */
function checkPart({ desk: stream, head, records, aside: forked, content }: Part, kept: Set<string>): void {
  const name = streamName(stream);
  const onRecord = new Map<string, Omit<MovedContent, "texts">>();
  const all = [...records, ...forked];
  const verified = verifyLines(
    (line) => {
      for (const [index, text] of all.entries()) line(Buffer.from(text), index, index + 1);
    },
    ({ events }) => {
      for (const event of events) {
        collectContent(onRecord, event);
        for (const pin of pinsOf(event)) kept.add(pin);
      }
    },
  );
  const isBeside = verified.lines.every(({ kind }) => kind === "aside" || kind === "accepted" || kind === "void");
  const isWhole = verified.breaks.length === 0 && verified.head === head && verified.records === records.length;
  if (!isWhole || !isBeside || all.some((text) => text.includes("\n")))
    throw new ImportRefused(
      `The history of ${name} in the file is incomplete: it was changed or cut. Export it again.`,
    );
  for (const { ref, isCompleted, records: files } of content) {
    const known = onRecord.get(attemptKey(ref));
    const isKnown = (file: ContentRecord): boolean =>
      known?.records.some(({ path, sha256: hash }) => path === file.path && hash === file.sha256) === true;
    if (known?.isCompleted === isCompleted && files.every(isKnown)) continue;
    throw new ImportRefused(`The file has content that the history of ${name} does not record. Nothing was imported.`);
  }
}

/** The number of records already here; throws if another history is. */
async function countExisting({ desk: stream, records }: Part, { log }: NamedStore): Promise<number> {
  let status = 0;
  for await (const { seq, text } of log.records(stream)) {
    status = seq;
    const ours = records[seq - 1];
    if (ours !== undefined && ours !== text)
      throw new ImportRefused(
        `${streamName(stream)} has another history here: record ${seq} differs. Nothing was imported. Choose another project (--project) or area.`,
      );
  }
  return status;
}

function storeOf(stores: readonly NamedStore[], { area, ...id }: MovedStream): NamedStore {
  const found = stores.find(({ name }) => name === area);
  if (found !== undefined) return found;
  const where = area === "" ? "the project's own area" : `the area ${area}`;
  throw new ImportRefused(
    `${streamName(id)} belongs to ${where}, where no bot of these definitions works. Nothing was imported.`,
  );
}

async function importStream(part: Part, store: NamedStore): Promise<ImportedStream> {
  const { desk: stream, head, records } = part;
  const { area: _, ...id } = stream;
  if (store.transfer === undefined) throw new ImportRefused("This store cannot import histories.");
  const status = await countExisting(part, store);
  const known = new Set((await store.transfer.forked(id)).map(sha256));
  const forked = part.aside.filter((text) => !known.has(sha256(text)));
  await store.transfer.restore(id, records.slice(status), forked);
  const { seen, head: now } = await store.log.load(id);
  if (seen < records.length || (seen === records.length && now !== head))
    throw new ImportRefused(
      `The history of ${streamName(id)} does not end as expected after the import. Run waymark verify.`,
    );
  const heads = new Set((await store.heads.read(id)).heads.map(canonical));
  for (const signed of part.signed) if (!heads.has(canonical(signed))) await store.heads.keep(id, signed);
  const left: string[] = [];
  for (const content of part.content) left.push(...(await importContent(content, id, store)));
  return { desk: stream, records: records.length, added: Math.max(0, records.length - status), head: now, left };
}

/** Writes texts to free paths; existing different files stay. */
async function importContent(
  { ref, records, texts, isCompleted }: MovedContent,
  id: Omit<MovedStream, "area">,
  { content }: NamedStore,
): Promise<readonly string[]> {
  const files = await content.read(id, ref, records);
  const missing = records.filter((_, index) => {
    const file = files[index];
    return file !== undefined && "problem" in file;
  });
  const free = missing.filter(({ path }) => files.some((file) => file.path === path && file.isNew));
  const items = free.flatMap(({ path, sha256: hash }) => {
    const text = texts[hash];
    return text === undefined || sha256(text) !== hash ? [] : [{ path, text }];
  });
  const held = items.length === 0 ? undefined : await content.hold(id, ref, items);
  if (held !== undefined && "records" in held && isCompleted) await content.save(id, ref, held.records);
  const refused = held !== undefined && "refused" in held ? held.refused.map(({ path }) => path) : [];
  return [...missing.filter((record) => !free.includes(record)).map(({ path }) => path), ...refused];
}

/** The streams of a file with their lines, and the definition copies; throws if the file is invalid or cut. */
async function* partsOf(lines: LinesOf): AsyncGenerator<Part | { readonly pin: string }> {
  let part: Part | undefined;
  let [number, streams, records] = [0, 0, 0];
  let isEnded = false;
  for await (const text of lines()) {
    number += 1;
    const line = readHistoryLine(text);
    if (line === undefined || isEnded || (number === 1) !== "waymark_history" in line)
      throw new ImportRefused(
        `Line ${number} does not belong in a history export (waymark export --history). Nothing was imported.`,
      );
    if ("waymark_history" in line) continue;
    if ("desk" in line || "end" in line) {
      if (part !== undefined) yield part;
      part = "desk" in line ? { ...line, records: [], aside: [], signed: [], content: [] } : undefined;
      if ("end" in line) {
        isEnded = line.end.desks === streams && line.end.records === records;
        if (!isEnded) break;
        continue;
      }
      streams += 1;
    } else if ("pin" in line) yield line;
    else if (part === undefined) throw new ImportRefused(`Line ${number} belongs to no history. Nothing was imported.`);
    else if ("record" in line) {
      part.records.push(line.record);
      records += 1;
    } else if ("aside" in line) part.aside.push(line.aside);
    else if ("signed" in line) part.signed.push(line.signed);
    else part.content.push(line.content);
  }
  if (!isEnded) throw new ImportRefused("The file is incomplete. Export it again. Nothing was imported.");
}
