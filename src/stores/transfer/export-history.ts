import type { PinStore } from "../../engine/ports/pins.ts";
import type { ContentRecord, Event, StepRef } from "../../workflow/events.ts";
import { attemptKey } from "../../workflow/step-ref.ts";
import { type StreamId, streamName } from "../../workflow/stream-id.ts";
import type { Store } from "../store.ts";
import type { HistoryLine, MovedContent } from "./history-lines.ts";

/** A store with its area's name in the project. */
export type NamedStore = Store & { readonly name: string };

/** Thrown for a history that cannot be exported as it is. */
export class BrokenHistory extends Error {}

/** Exports a project line by line: records, signed heads, available content and definition copies; rejects with `BrokenHistory` on a broken history. */
export async function* exportHistories(
  stores: readonly NamedStore[],
  pins: PinStore,
  now: Date,
  onStream: (done: number, total: number) => void = () => {},
): AsyncGenerator<HistoryLine> {
  yield { waymark_history: 1, exported_at: now.toISOString() };
  let [streams, records] = [0, 0];
  const all = await Promise.all(stores.map(async (store) => (await store.log.streams()).map((id) => ({ store, id }))));
  const told = new Set<string>();
  for (const { store, id } of all.flat()) {
    const { missing, breaks, head, records: count } = await store.log.audit(id);
    const [broken] = breaks;
    if (missing !== undefined) throw new BrokenHistory(`${streamName(id)}: ${missing}.`);
    if (broken !== undefined) throw new BrokenHistory(`${streamName(id)}, record ${broken.seq}: ${broken.reason}.`);
    yield { desk: { ...id, area: store.name }, head };
    const wanted = new Map<string, Omit<MovedContent, "texts">>();
    for await (const { text, events } of store.log.records(id)) {
      yield { record: text };
      for (const event of events) collectContent(wanted, event);
      for (const pin of events.flatMap(pinsOf).filter((one) => !told.has(one))) {
        told.add(pin);
        const copy = await pins.find(pin);
        if (copy !== undefined) yield { pin: copy };
      }
    }
    for (const text of (await store.transfer?.forked(id)) ?? []) yield { aside: text };
    for (const signed of (await store.heads.read(id)).heads) yield { signed };
    for (const one of wanted.values()) yield* contentOf(store, id, one);
    streams += 1;
    records += count;
    onStream(streams, all.flat().length);
  }
  yield { end: { desks: streams, records } };
}

/** The definition copies an event refers to. */
export function pinsOf(event: Event): readonly string[] {
  return event.type === "session_began" || event.type === "updated" ? [event.definition] : [];
}

/** Collects the recorded files of every attempt, the newest of each path. */
export function collectContent(wanted: Map<string, Omit<MovedContent, "texts">>, event: Event): void {
  if (!("content" in event) || event.content === undefined || !("attempt" in event)) return;
  const { workflow, pass = 1, step, attempt = 1 } = event;
  const ref: StepRef = { workflow, pass, step, attempt };
  const key = attemptKey(ref);
  const before = wanted.get(key);
  const paths = new Set(event.content.map(({ path }) => path));
  const records: readonly ContentRecord[] = [
    ...(before?.records ?? []).filter(({ path }) => !paths.has(path)),
    ...event.content,
  ];
  wanted.set(key, { ref, records, isCompleted: event.type === "completed" });
}

async function* contentOf(
  { content }: Store,
  id: StreamId,
  { ref, records, isCompleted }: Omit<MovedContent, "texts">,
): AsyncGenerator<HistoryLine> {
  const files = await content.read(id, ref, records);
  const texts = files.flatMap((file, index) => ("text" in file ? [[records[index]?.sha256 ?? "", file.text]] : []));
  const known = new Set(texts.map(([hash]) => hash));
  const at = records.filter((record) => known.has(record.sha256));
  if (at.length > 0) yield { content: { ref, isCompleted, records: at, texts: Object.fromEntries(texts) } };
}
