import type { Clock } from "../../engine/ports/clock.ts";
import { deferWork } from "../../kit/deferred-work.ts";
import { unsavedText } from "../../messages/fixed-texts.ts";
import { sessionFileText } from "../../workflow/session-view.ts";
import { type StreamId, streamName } from "../../workflow/stream-id.ts";
import { emptyStream, type StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import { parseObject } from "../projections/json-text.ts";
import type { FileStream } from "./file-stream.ts";
import { foreignFilesAt } from "./foreign-files.ts";
import { copiedFrom, sessionReducer } from "./history-origin.ts";
import { openRecords } from "./records.ts";
import { openSessionView } from "./session-view-file.ts";
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
  let isFirstLook = true;
  const unsafePath = (): readonly string[] => foreignFilesAt(enginePaths(area, own));
  const trusts = trustsIn(memory);
  /** The origin of a history copied here from another session; it does not count until a person accepts it. */
  const another = (): string | undefined => copiedFrom(records.ledger(), own, trusts);
  const stream = (): StreamSnapshot => (another() === undefined ? records.stream() : emptyStream);

  const remembering = deferWork(records.remember);

  // A view that shows a changed record as it was is not written over.
  const publish = async (): Promise<readonly string[]> => (judgement.isChanged() ? [] : file.publish());

  return {
    async look() {
      const isReliable = records.settle() && records.heldCount() === 0;
      const strangers = [
        ...(isFirstLook || !isReliable ? unsafePath() : []),
        ...(isFirstLook ? foreignHistoryWarning(id, another()) : []),
      ];
      isFirstLook = false;
      const judged = judgement.judge(judgement.isLost() && (await isInGit()));
      const lost = [...judged, ...records.takeLosses()];
      remembering.schedule();
      return {
        seen: records.seen(),
        head: records.ledger().chain.head,
        stream: stream(),
        warnings: [...lost, ...(isReliable ? [] : [unsavedText]), ...strangers],
        forkedRecords: records.otherSides.count(),
      };
    },
    stream() {
      records.catchUp();
      return stream();
    },
    async append(seen, events, { onFault, answers: saw }) {
      const status = records.append(seen, events, { onFault, saw });
      if (status === "recorded") judgement.noteEvents(events);
      remembering.schedule();
      const isWritten = status === "recorded" || status === "behind";
      return { status, warnings: [...records.takeLosses(), ...(isWritten ? [] : [unsavedText, ...unsafePath()])] };
    },
    async *records(from) {
      records.settle();
      yield* records.stored(from);
    },
    isPublicationDue: () => records.heldCount() > 0,
    view: async () => ({ found: file.look(), warnings: [] }),
    publish,
    repair: publish,
    async shown() {
      records.settle();
      return parseObject(sessionFileText(id, records.stream()) ?? "") ?? {};
    },
    close() {
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
