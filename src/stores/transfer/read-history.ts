import type { Pins } from "../../engine/ports.ts";
import { canonical } from "../../evidence/json.ts";
import { sha256 } from "../../evidence/sha256.ts";
import type { ContentRecord } from "../../workflow/events.ts";
import { attemptKey } from "../../workflow/step-ref.ts";
import { verifyLines } from "../chain/verify-lines.ts";
import { nameOf } from "../desk-key.ts";
import { type HistoryLine, type MovedContent, type MovedDesk, readHistoryLine } from "./history-file.ts";
import { type NamedStore, note, pinsOf } from "./write-history.ts";

/** Why a file of histories is not brought in, in a sentence; nothing of it was. */
export class NotTaken extends Error {}

/** What bringing histories in came to, by desk: how many records there are, how many of them are new, and the hash of the last. */
export type Taken = {
  readonly desk: MovedDesk;
  readonly records: number;
  readonly added: number;
  readonly head: string;
  /** Files that stand there otherwise, or cannot be put there: they are left as they are. */
  readonly left: readonly string[];
};

/** Lines of a file, as often as they are asked for. */
export type LinesOf = () => AsyncIterable<string>;

/** Brings the histories of a file in, byte by byte: first all of it is looked at, then what is missing is added. Whoever brings in the same again adds nothing. */
export async function takeHistories(
  lines: LinesOf,
  stores: readonly NamedStore[],
  pins: Pins,
  onDesk: (done: number, total: number) => void = () => {},
): Promise<readonly Taken[]> {
  const total = await lookThrough(lines, stores);
  const taken: Taken[] = [];
  for await (const part of partsOf(lines)) {
    if ("pin" in part)
      await pins.keep(part.pin); // one that a session of the file keeps
    else {
      taken.push(await take(part, storeOf(stores, part.desk)));
      onDesk(taken.length, total);
    }
  }
  return taken;
}

/** A desk with everything that the file says of it. */
type Part = {
  readonly desk: MovedDesk;
  readonly head: string;
  readonly records: string[];
  readonly aside: string[];
  readonly signed: Extract<HistoryLine, { signed: unknown }>["signed"][];
  readonly content: MovedContent[];
};

/** Looks at all of it before anything is written: whether it is whole, and whether what stands here is the same history. */
async function lookThrough(lines: LinesOf, stores: readonly NamedStore[]): Promise<number> {
  let desks = 0;
  const [copies, kept] = [new Set<string>(), new Set<string>()];
  for await (const part of partsOf(lines)) {
    if ("pin" in part) {
      copies.add(sha256(part.pin));
      continue;
    }
    desks += 1;
    lookAtPart(part, kept);
    await compare(part, storeOf(stores, part.desk));
  }
  if ([...copies].some((copy) => !kept.has(copy)))
    throw new NotTaken("The file has a copy of a definition that no session in it keeps. Nothing was brought in.");
  return desks;
}

/** Whether the history of a desk is whole as the file has it, and all that comes with it is on record there; notes the copies of definitions that it keeps. */
function lookAtPart({ desk, head, records, aside, content }: Part, kept: Set<string>): void {
  const name = nameOf(desk);
  const onRecord = new Map<string, Omit<MovedContent, "texts">>();
  const all = [...records, ...aside];
  const verified = verifyLines(
    (line) => {
      for (const [index, text] of all.entries()) line(Buffer.from(text), index, index + 1);
    },
    ({ events }) => {
      for (const event of events) {
        note(onRecord, event);
        for (const pin of pinsOf(event)) kept.add(pin);
      }
    },
  );
  const isBeside = verified.lines.every(({ kind }) => kind === "aside" || kind === "accepted" || kind === "void");
  const isWhole = verified.breaks.length === 0 && verified.head === head && verified.records === records.length;
  if (!isWhole || !isBeside || all.some((text) => text.includes("\n")))
    throw new NotTaken(`The history of ${name} in the file is not whole: it was changed or cut. Export it again.`);
  for (const { ref, isCompleted, records: files } of content) {
    const known = onRecord.get(attemptKey(ref));
    const isKnown = (file: ContentRecord): boolean =>
      known?.records.some(({ path, sha256: hash }) => path === file.path && hash === file.sha256) === true;
    if (known?.isCompleted === isCompleted && files.every(isKnown)) continue;
    throw new NotTaken(
      `The file has content that the history of ${name} does not have on record. Nothing was brought in.`,
    );
  }
}

/** How many records stand there already. Refuses where another history does. */
async function compare({ desk, records }: Part, { log }: NamedStore): Promise<number> {
  let standing = 0;
  for await (const { seq, text } of log.records(desk)) {
    standing = seq;
    const ours = records[seq - 1];
    if (ours !== undefined && ours !== text)
      throw new NotTaken(
        `${nameOf(desk)} has another history here: record ${seq} differs. Nothing was brought in. Name another project (--project) or area for it.`,
      );
  }
  return standing;
}

function storeOf(stores: readonly NamedStore[], { area, ...id }: MovedDesk): NamedStore {
  const found = stores.find(({ name }) => name === area);
  if (found !== undefined) return found;
  const where = area === "" ? "the project's own area" : `the area ${area}`;
  throw new NotTaken(
    `${nameOf(id)} belongs to ${where}, and no bot of these definitions works there. Nothing was brought in.`,
  );
}

async function take(part: Part, store: NamedStore): Promise<Taken> {
  const { desk, head, records } = part;
  const { area: _, ...id } = desk;
  if (store.moving === undefined) throw new NotTaken("This store cannot take histories in.");
  const standing = await compare(part, store);
  const known = new Set((await store.moving.aside(id)).map(sha256));
  const aside = part.aside.filter((text) => !known.has(sha256(text)));
  await store.moving.restore(id, records.slice(standing), aside);
  const { seen, head: now } = await store.log.look(id);
  if (seen < records.length || (seen === records.length && now !== head))
    throw new NotTaken(`The history of ${nameOf(id)} does not end here as it should. Look with waymark verify.`);
  const heads = new Set((await store.heads.read(id)).heads.map(canonical));
  for (const signed of part.signed) if (!heads.has(canonical(signed))) await store.heads.keep(id, signed);
  const left: string[] = [];
  for (const content of part.content) left.push(...(await takeContent(content, id, store)));
  return { desk, records: records.length, added: Math.max(0, records.length - standing), head: now, left };
}

/** Puts texts where nothing stands; what stands there otherwise is somebody's, and stays. */
async function takeContent(
  { ref, records, texts, isCompleted }: MovedContent,
  id: Omit<MovedDesk, "area">,
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
  const held = items.length === 0 ? undefined : await content.hold(id, ref, items, "refuse");
  if (held !== undefined && "records" in held && isCompleted) await content.save(id, ref, held.records);
  const refused = held !== undefined && "refused" in held ? held.refused.map(({ path }) => path) : [];
  return [...missing.filter((record) => !free.includes(record)).map(({ path }) => path), ...refused];
}

/** The desks of a file with what belongs to each, and the copies of definitions. Refuses what is no such file, or has been cut. */
async function* partsOf(lines: LinesOf): AsyncGenerator<Part | { readonly pin: string }> {
  let part: Part | undefined;
  let [number, desks, records] = [0, 0, 0];
  let isEnded = false;
  for await (const text of lines()) {
    number += 1;
    const line = readHistoryLine(text);
    if (line === undefined || isEnded || (number === 1) !== "waymark_history" in line)
      throw new NotTaken(`Line ${number} is not what waymark export --history writes. Nothing was brought in.`);
    if ("waymark_history" in line) continue;
    if ("desk" in line || "end" in line) {
      if (part !== undefined) yield part;
      part = "desk" in line ? { ...line, records: [], aside: [], signed: [], content: [] } : undefined;
      if ("end" in line) {
        isEnded = line.end.desks === desks && line.end.records === records;
        if (!isEnded) break;
        continue;
      }
      desks += 1;
    } else if ("pin" in line) yield line;
    else if (part === undefined) throw new NotTaken(`Line ${number} belongs to no desk. Nothing was brought in.`);
    else if ("record" in line) {
      part.records.push(line.record);
      records += 1;
    } else if ("aside" in line) part.aside.push(line.aside);
    else if ("signed" in line) part.signed.push(line.signed);
    else part.content.push(line.content);
  }
  if (!isEnded) throw new NotTaken("The file was cut: not all that it should hold is there. Nothing was brought in.");
}
