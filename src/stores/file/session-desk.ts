import type { Clock, DeskId } from "../../engine/ports.ts";
import { unsavedText } from "../../words/texts.ts";
import { type Desk, emptyDesk } from "../../workflow/desk.ts";
import { nameOf } from "../desk-key.ts";
import { parseObject } from "../projections/json-text.ts";
import { sessionFileText } from "../projections/session-file.ts";
import { putHereBy, sessionBookkeeping } from "./begun-as.ts";
import { type Believing, believesIn } from "./belief/believing.ts";
import type { FreshFiles } from "./fresh-files.ts";
import type { OpenDesk } from "./open-desk.ts";
import { ownPlaces, sessionPlaces } from "./places.ts";
import { openRecords } from "./records.ts";
import { openSessionFile, type ReadyFile } from "./session-file.ts";
import { strangersAt } from "./strangers.ts";

/** Opens the desk of a session: a journal, and a file that shows it. */
export function openSessionDesk(
  area: string,
  id: string,
  { clock, fresh, believing }: { readonly clock: Clock; readonly fresh: FreshFiles; readonly believing: Believing },
): OpenDesk {
  const places = sessionPlaces(area, id);
  const { seen: memory, isInGit } = believing;
  const own: DeskId = { kind: "session", name: id };
  const records = openRecords({ ...places, name: nameOf(own) }, sessionBookkeeping(own), { memory });
  const { judgement } = records;
  const file = openSessionFile(id, places, { records, fresh, clock });
  // While a record is made to last, nothing else is asked of the journal.
  const turn = inTurn();
  /** What the last record comes to, written while that was made to last. */
  let ready: ReadyFile | undefined;
  let isFirstLook = true;
  const inTheWay = (): readonly string[] => strangersAt(ownPlaces(area, own));
  /** What was put here from another session happened there: it counts for nothing here, until a person accepts it. */
  const another = (): string | undefined => putHereBy(records.ledger(), own, believesIn(memory));
  const desk = (): Desk => (another() === undefined ? records.desk() : emptyDesk);

  let remembering: NodeJS.Immediate | undefined;

  /** Nobody waits for it. */
  function remember(): void {
    clearImmediate(remembering);
    remembering = undefined;
    records.remember();
  }

  function publish(): readonly string[] {
    if (!judgement.isChanged()) return file.publish(takeReady());
    takeReady()?.discard(); // what shows the record as it was is not written over
    return [];
  }

  function takeReady(): ReadyFile | undefined {
    const taken = ready;
    ready = undefined;
    return taken;
  }

  return {
    look: () =>
      turn(async () => {
        const isReliable = records.settle() && records.heldCount() === 0;
        const strangers = [
          ...(isFirstLook || !isReliable ? inTheWay() : []),
          ...(isFirstLook ? ofAnother(id, another()) : []),
        ];
        isFirstLook = false;
        const judged = judgement.judge(judgement.isLost() && (await isInGit()));
        const lost = [...judged, ...records.takeLosses()];
        const warnings = [...lost, ...(isReliable ? [] : [unsavedText]), ...strangers];
        remembering ??= setImmediate(remember);
        const setAside = records.otherSides.count();
        return { seen: records.seen(), head: records.ledger().chain.head, desk: desk(), warnings, setAside };
      }),
    desk() {
      if (!turn.isTaken()) records.catchUp();
      return desk();
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
        if (status === "recorded") judgement.hear(events);
        remembering ??= setImmediate(remember);
        const isWritten = status === "recorded" || status === "behind";
        return { status, warnings: [...records.takeLosses(), ...(isWritten ? [] : [unsavedText, ...inTheWay()])] };
      }),
    async *records(from) {
      await turn(() => records.settle());
      yield* records.stored(from);
    },
    owes: () => records.heldCount() > 0,
    view: () => turn(() => ({ found: file.look(), warnings: [] })),
    publish: () => turn(publish),
    repair: () => turn(publish),
    shown: () =>
      turn(() => {
        records.settle();
        return parseObject(sessionFileText(id, records.desk()) ?? "") ?? {};
      }),
    close() {
      takeReady()?.discard();
      remember();
      records.close();
    },
  };
}

function ofAnother(id: string, begunAs: string | undefined): readonly string[] {
  if (begunAs === undefined) return [];
  return [
    `The history of session ${id} was begun as that of ${begunAs}, and put here: it counts for nothing. Run waymark verify.`,
  ];
}

/** Does one thing at a time, in the order they were asked for; what fails keeps nothing else from being done. */
function inTurn(): (<T>(work: () => T | Promise<T>) => Promise<T>) & { isTaken(): boolean } {
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
