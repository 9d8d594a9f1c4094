import type { AuditedLog } from "../../engine/ports/event-log.ts";
import { countText } from "../../kit/count-text.ts";
import type { Event } from "../../workflow/events.ts";
import { type StreamId, streamName } from "../../workflow/stream-id.ts";
import type { LostRecords } from "../file/detect-rollback.ts";
import type { AreaMemory } from "../file/trust/area-memory.ts";
import { type HistoryFindings, openFindings } from "../file/trust/history-findings.ts";
import { type Head, isSameHead, type SeenHistory } from "../file/trust/seen-history.ts";
import { streamKey } from "../stream-key.ts";

/** This machine's memory of the histories in a database, kept outside of it; best effort. */
export type HistoryWitness = {
  /**
   * Notes the current head and returns warnings, each once. `isProved`: it continues what this process knew; otherwise seen records are
   * looked up by `hashAt`.
   */
  saw(id: StreamId, end: Head, isProved: boolean, hashAt: HashAt): Promise<readonly string[]>;
  /** Notes recorded events: a person may have accepted the history. */
  heard(id: StreamId, events: readonly Event[]): void;
  /** Stores the head after the reply. */
  remember(id: StreamId, end: Head): void;
  /** Adds earlier and current findings to an audited history; leaves no trace. */
  audit(id: StreamId, audited: AuditedLog): Promise<AuditedLog>;
  /** The remembered streams except these and those that were forgotten. */
  streamsExcept(known: readonly StreamId[]): Promise<readonly StreamId[]>;
};

/** Tells if a record of a stream was forgotten, by its hash or the beginning of it. */
export type ForgottenHashes = (id: StreamId, head: string) => boolean;

type HashAt = (seq: number) => Promise<string | undefined>;
type WatchedStream = { readonly seen: SeenHistory; readonly judgement: HistoryFindings };

/** The most streams watched at once. */
const mostWatched = 500;

/** Watches the histories of one area with this machine's memory; `forgotten` tells what a person had erased there. */
export function openHistoryWitness(memory: AreaMemory, forgotten: () => Promise<ForgottenHashes>): HistoryWitness {
  const watched = new Map<string, WatchedStream>();
  function watch(id: StreamId): WatchedStream {
    const key = streamKey(id);
    const seen = watched.get(key)?.seen ?? memory.of(id);
    const one = watched.get(key) ?? { seen, judgement: openFindings(seen) };
    watched.delete(key);
    watched.set(key, one);
    const [oldest] = watched.size > mostWatched ? watched.keys() : [];
    if (oldest !== undefined) watched.delete(oldest);
    return one;
  }
  const remember = (id: StreamId, end: Head): void => {
    const { judgement } = watch(id);
    setImmediate(() => judgement.remember(end));
  };
  return {
    async saw(id, end, isProved, hashAt) {
      const { seen, judgement } = watch(id);
      const lost = isProved ? undefined : await findLost(streamName(id), seen, end, hashAt);
      if (lost !== undefined && (await forgotten())(id, seen.last()?.head ?? "")) seen.forget();
      else judgement.noteLoss(lost);
      const said = judgement.judge(false);
      remember(id, end);
      return said;
    },
    heard: (id, events) => {
      if (events.some(({ type }) => type === "accepted")) watch(id).judgement.noteEvents(events);
    },
    remember,
    async audit(id, audited) {
      const seen = memory.of(id);
      const { seq, head, hashes } = audited;
      const before = seen.disputes().map(({ text, at }) => `${text} Found on ${at}.`);
      const last = seen.last();
      const lost = last && describeLoss(streamName(id), { last, end: { seq, head }, found: hashes.get(last.seq) });
      const isForgotten = lost !== undefined && (await forgotten())(id, last?.head ?? "");
      const texts = [...before, ...(lost === undefined || isForgotten ? [] : [lost.text])];
      return { ...audited, disputes: [...(audited.disputes ?? []), ...texts.map((text) => ({ text }))] };
    },
    async streamsExcept(known) {
      const absent = memory.streamsExcept(known);
      if (absent.length === 0) return absent;
      const isForgotten = await forgotten();
      return absent.filter((id) => !isForgotten(id, memory.of(id).last()?.head ?? ""));
    },
  };
}

async function findLost(name: string, seen: SeenHistory, end: Head, hashAt: HashAt): Promise<LostRecords | undefined> {
  const last = seen.last();
  if (last === undefined || last.seq === 0 || isSameHead(last, end)) return undefined;
  return describeLoss(name, { last, end, found: end.seq > last.seq ? await hashAt(last.seq) : undefined });
}

/** The message for a history whose seen record is missing or different. */
function describeLoss(
  name: string,
  { last, end, found }: { readonly last: Head; readonly end: Head; readonly found: string | undefined },
): LostRecords | undefined {
  const isThere = isSameHead(last, end) || (found !== undefined && isSameHead(last, { seq: last.seq, head: found }));
  if (last.seq === 0 || isThere) return undefined;
  const had = `The history of ${name} in this database, with ${countText(last.seq, "record")},`;
  if (end.seq === 0) return { text: `${had} is gone.` };
  if (end.seq < last.seq)
    return {
      text: `The history of ${name} was rolled back: it had ${countText(last.seq, "record")} and now has ${end.seq}. The remaining ones count.`,
    };
  return { text: `${had} was replaced by another one: record ${last.seq} differs.` };
}
