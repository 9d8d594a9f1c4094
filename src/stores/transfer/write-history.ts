import type { DeskId, Pins } from "../../engine/ports.ts";
import type { ContentRecord, Event, StepRef } from "../../workflow/events.ts";
import { attemptKey } from "../../workflow/step-ref.ts";
import { nameOf } from "../desk-key.ts";
import type { Store } from "../store.ts";
import type { HistoryLine, MovedContent } from "./history-file.ts";

/** A store with what its area is called in the project. */
export type NamedStore = Store & { readonly name: string };

/** A history that is not carried as it stands, and why. */
export class NotWhole extends Error {}

/** Tells everything that is kept of a project, line by line: every record as it stands, signed heads, content that is at hand, copies of definitions. Rejects with `NotWhole` at a history that is broken. */
export async function* historyLines(
  stores: readonly NamedStore[],
  pins: Pins,
  now: Date,
  onDesk: (done: number, total: number) => void = () => {},
): AsyncGenerator<HistoryLine> {
  yield { waymark_history: 1, exported_at: now.toISOString() };
  let [desks, records] = [0, 0];
  const all = await Promise.all(stores.map(async (store) => (await store.log.desks()).map((id) => ({ store, id }))));
  const told = new Set<string>();
  for (const { store, id } of all.flat()) {
    const { missing, breaks, head, records: count } = await store.log.audit(id);
    const [broken] = breaks;
    if (missing !== undefined) throw new NotWhole(`${nameOf(id)}: ${missing}.`);
    if (broken !== undefined) throw new NotWhole(`${nameOf(id)}, record ${broken.seq}: ${broken.reason}.`);
    yield { desk: { ...id, area: store.name }, head };
    const wanted = new Map<string, Omit<MovedContent, "texts">>();
    for await (const { text, events } of store.log.records(id)) {
      yield { record: text };
      for (const event of events) note(wanted, event);
      for (const pin of events.flatMap(pinsOf).filter((one) => !told.has(one))) {
        told.add(pin);
        const copy = await pins.find(pin);
        if (copy !== undefined) yield { pin: copy };
      }
    }
    for (const text of (await store.moving?.aside(id)) ?? []) yield { aside: text };
    for (const signed of (await store.heads.read(id)).heads) yield { signed };
    for (const one of wanted.values()) yield* contentOf(store, id, one);
    desks += 1;
    records += count;
    onDesk(desks, all.flat().length);
  }
  yield { end: { desks, records } };
}

/** The copies of definitions that an event says are kept. */
export function pinsOf(event: Event): readonly string[] {
  return event.type === "session_began" ? [event.definition] : [];
}

/** What every attempt has on record, the newest of each path. */
export function note(wanted: Map<string, Omit<MovedContent, "texts">>, event: Event): void {
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
  id: DeskId,
  { ref, records, isCompleted }: Omit<MovedContent, "texts">,
): AsyncGenerator<HistoryLine> {
  const files = await content.read(id, ref, records);
  const texts = files.flatMap((file, index) => ("text" in file ? [[records[index]?.sha256 ?? "", file.text]] : []));
  const known = new Set(texts.map(([hash]) => hash));
  const at = records.filter((record) => known.has(record.sha256));
  if (at.length > 0) yield { content: { ref, isCompleted, records: at, texts: Object.fromEntries(texts) } };
}
