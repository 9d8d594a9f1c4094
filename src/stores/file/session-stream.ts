import type { Clock } from "../../engine/ports/clock.ts";
import { betweenRounds, deferWork } from "../../kit/deferred-work.ts";
import { unsavedText } from "../../messages/fixed-texts.ts";
import { type StreamId, streamName } from "../../workflow/stream-id.ts";
import { emptyStream, type StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import { parseObject } from "../projections/json-text.ts";
import { sessionFileText } from "../projections/session-text.ts";
import type { FileStream } from "./file-stream.ts";
import { foreignFilesAt } from "./foreign-files.ts";
import { copiedFrom, sessionReducer } from "./history-origin.ts";
import { openRecords } from "./records.ts";
import { openSessionView, type PreparedFile } from "./session-view-file.ts";
import { enginePaths, sessionPaths } from "./stream-paths.ts";
import type { FreshFiles } from "./temp-files.ts";
import { type TrustBasis, trustsIn } from "./trust/trust-basis.ts";

/** Opens the stream of a session: a journal and the file that shows it. */
export function openSessionStream(
  area: string,
  id: string,
  { clock, fresh, believing }: { readonly clock: Clock; readonly fresh: FreshFiles; readonly believing: TrustBasis },
): FileStream {
  const places = sessionPaths(area, id);
  const { seen: memory, isInGit } = believing;
  const own: StreamId = { kind: "session", name: id };
  const records = openRecords({ ...places, name: streamName(own) }, sessionReducer(own), { memory });
  const { judgement } = records;
  const file = openSessionView(id, places, { records, fresh, clock });
  // The journal is not used while a record is synced.
  const turn = serialQueue();
  /** The view of the last record, written during its sync. */
  let ready: PreparedFile | undefined;
  let isFirstLook = true;
  const unsafePath = (): readonly string[] => foreignFilesAt(enginePaths(area, own));
  const trusts = trustsIn(memory);
  /** The origin of a history copied here from another session; it does not count until a person accepts it. */
  const another = (): string | undefined => copiedFrom(records.ledger(), own, trusts);
  const stream = (): StreamSnapshot => (another() === undefined ? records.stream() : emptyStream);

  const remembering = deferWork(records.remember, betweenRounds);

  function publish(): readonly string[] {
    if (!judgement.isChanged()) return file.publish(takeReady());
    takeReady()?.discard(); // do not overwrite what shows the record as it was
    return [];
  }

  function takeReady(): PreparedFile | undefined {
    const taken = ready;
    ready = undefined;
    return taken;
  }

  return {
    look: () =>
      turn(async () => {
        const isReliable = records.settle() && records.heldCount() === 0;
        const strangers = [
          ...(isFirstLook || !isReliable ? unsafePath() : []),
          ...(isFirstLook ? foreignHistoryWarning(id, another()) : []),
        ];
        isFirstLook = false;
        const judged = judgement.judge(judgement.isLost() && (await isInGit()));
        const lost = [...judged, ...records.takeLosses()];
        const warnings = [...lost, ...(isReliable ? [] : [unsavedText]), ...strangers];
        remembering.schedule();
        const forked = records.otherSides.count();
        return {
          seen: records.seen(),
          head: records.ledger().chain.head,
          stream: stream(),
          warnings,
          forkedRecords: forked,
        };
      }),
    stream() {
      if (!turn.isTaken()) records.catchUp();
      return stream();
    },
    append: (seen, events, { onFault, answers: saw }) =>
      turn(async () => {
        takeReady()?.discard();
        const canWait = onFault === "refuse" && records.heldCount() === 0 && saw === undefined;
        const status = canWait
          ? await records.appendMeanwhile(seen, events, () => {
              takeReady()?.discard();
              ready = file.makeReady();
            })
          : records.append(seen, events, { onFault, saw });
        if (status !== "recorded") takeReady()?.discard();
        if (status === "recorded") judgement.noteEvents(events);
        remembering.schedule();
        const isWritten = status === "recorded" || status === "behind";
        return { status, warnings: [...records.takeLosses(), ...(isWritten ? [] : [unsavedText, ...unsafePath()])] };
      }),
    async *records(from) {
      await turn(() => records.settle());
      yield* records.stored(from);
    },
    isPublicationDue: () => records.heldCount() > 0,
    view: () => turn(() => ({ found: file.look(), warnings: [] })),
    publish: () => turn(publish),
    repair: () => turn(publish),
    shown: () =>
      turn(() => {
        records.settle();
        return parseObject(sessionFileText(id, records.stream()) ?? "") ?? {};
      }),
    close() {
      takeReady()?.discard();
      remembering.settle();
      records.close();
    },
  };
}

function foreignHistoryWarning(id: string, begunAs: string | undefined): readonly string[] {
  if (begunAs === undefined) return [];
  return [
    `The history of session ${id} belongs to ${begunAs} and was copied here, so it does not count. Run waymark verify.`,
  ];
}

/** Runs one job at a time in order; a failure does not stop the others. */
function serialQueue(): (<T>(work: () => T | Promise<T>) => Promise<T>) & { isTaken(): boolean } {
  let last: Promise<unknown> = Promise.resolve();
  let asked = 0;
  const turn = <T>(work: () => T | Promise<T>): Promise<T> => {
    asked++;
    const result = last.then(work).finally(() => asked--);
    last = result.catch(() => undefined);
    return result;
  };
  return Object.assign(turn, { isTaken: () => asked > 0 });
}
