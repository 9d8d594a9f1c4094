import type { Clock } from "../../engine/ports/clock.ts";
import type { AppendOptions, AppendResult, LoadedStream } from "../../engine/ports/event-log.ts";
import { deferWork } from "../../kit/deferred-work.ts";
import { unloggedText, unsavedText } from "../../messages/fixed-texts.ts";
import type { Event } from "../../workflow/events.ts";
import { type StreamId, streamName } from "../../workflow/stream-id.ts";
import { textOf } from "../projections/file-pieces.ts";
import { parseObject, parseObjects } from "../projections/json-text.ts";
import { botCheckpoints } from "./checkpoint.ts";
import type { FileStream } from "./file-stream.ts";
import { foreignFilesAt } from "./foreign-files.ts";
import { botReducer } from "./journal-totals.ts";
import { openLogFile } from "./log-file.ts";
import { openPublication } from "./publication.ts";
import type { OnRead } from "./read-lines.ts";
import { openRecords } from "./records.ts";
import { openStateFile } from "./state-file.ts";
import { botPaths, enginePaths } from "./stream-paths.ts";
import type { TrustBasis } from "./trust/trust-basis.ts";

function goneWarning(bot: string): string {
  return `The history of ${bot} is gone or was replaced by another (.waymark/journal). Run waymark verify.`;
}

/** Opens the stream of a bot or one of its runs, shared by any number of processes: a journal and its two JSON files. */
export function openBotStream(
  area: string,
  id: StreamId,
  clock: Clock,
  believing: TrustBasis,
  { onRead, isGuest }: { readonly onRead?: OnRead | undefined; readonly isGuest?: boolean | undefined } = {},
): FileStream {
  const { name: bot } = id;
  const places = botPaths(area, id, isGuest || undefined);
  const { seen: memory, isInGit } = believing;
  const checkpoints = botCheckpoints(places, id, believing);
  const records = openRecords({ ...places, name: streamName(id) }, botReducer(bot), { checkpoints, memory, onRead });
  const { judgement } = records;
  const state = openStateFile(places, records, clock, believing.machine);
  const log = openLogFile(places, records, clock);
  const unsafePath = (): readonly string[] => foreignFilesAt(enginePaths(area, id));
  const publication = openPublication({ records, judgement, state, log, unsafePath });
  let isFirstLook = true;
  /** Held records are published once they are in the journal. */
  let wasHeld = false;
  const saving = deferWork(save);

  function show(put: () => readonly string[]): readonly string[] {
    if (!judgement.isChanged()) wasHeld = records.heldCount() > 0;
    return put();
  }

  async function look(): Promise<LoadedStream> {
    const isFirst = isFirstLook;
    isFirstLook = false;
    const isReliable = records.settle();
    const judged = judgement.judge(judgement.isLost() && (await isInGit()));
    const warnings = [...judged, ...records.takeLosses(), ...publication.settle()];
    if (isFirst || !isReliable) warnings.push(...unsafePath());
    if (isFirst && isReliable && judged.length === 0 && state.isOfAnother()) warnings.push(goneWarning(bot));
    if (!isReliable || records.heldCount() > 0) warnings.push(unsavedText, unloggedText);
    else if (wasHeld || publication.isDue()) warnings.push(...show(publication.publish));
    saving.schedule();
    const forked = records.otherSides.count();
    return {
      seen: records.seen(),
      head: records.ledger().chain.head,
      stream: records.stream(),
      warnings,
      forkedRecords: forked,
    };
  }

  function append(seen: number, events: readonly Event[], { onFault, answers }: AppendOptions): AppendResult {
    // This record also answers what could not be published before.
    const status = records.append(seen, events, { onFault, saw: answers ?? state.saw() });
    saving.schedule();
    if (status === "behind") return { status, warnings: [] };
    if (status === "held") wasHeld = true;
    const isWritten = status === "recorded" || (status === "held" && makeRoom());
    const warnings = records.takeLosses();
    if (isWritten) judgement.noteEvents(events);
    if (isWritten && events.some(({ type }) => type === "accepted")) state.forgetAnother();
    return isWritten
      ? { status: "recorded", warnings }
      : { status, warnings: [...warnings, unsavedText, unloggedText, ...unsafePath()] };
  }

  /** Remembers the head and saves a checkpoint, after the reply. */
  function save(): void {
    records.remember();
    records.save();
  }

  /** Frees space and tells if held records could be written then. */
  function makeRoom(): boolean {
    publication.freeCopies();
    return records.settle() && records.heldCount() === 0;
  }

  return {
    look,
    stream() {
      records.catchUp();
      return records.stream();
    },
    append: async (seen, events, how) => append(seen, events, how),
    async *records(from) {
      records.settle();
      yield* records.stored(from);
    },
    isPublicationDue: () => records.heldCount() > 0,
    async view() {
      const said = publication.settle();
      const found = state.look();
      const foundLog = records.seen() === 0 ? log.found() : undefined;
      const notices = [...said, ...state.takeNotices()];
      const warnings = judgement.isChanged() ? [] : notices;
      return { found, answers: state.saw(), warnings, ...(foundLog === undefined ? {} : { foundLog }) };
    },
    publish: async () => show(publication.publishInTime),
    // Foreign content is always kept aside before it is overwritten, so there is nothing to choose.
    repair: async () => show(publication.repair),
    async shown() {
      records.settle();
      const { state: shown, log: logged, stream } = records.recount();
      return {
        state: parseObject(textOf(shown.pieces(stream))) ?? null,
        log: parseObjects(textOf(logged.pieces())) ?? [],
      };
    },
    close() {
      saving.settle();
      for (const part of [publication, records]) part.close();
    },
  };
}
