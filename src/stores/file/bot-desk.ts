import type { Appended, Appending, Clock, DeskId, Snapshot } from "../../engine/ports.ts";
import { unloggedText, unsavedText } from "../../words/texts.ts";
import type { Event } from "../../workflow/events.ts";
import { nameOf } from "../desk-key.ts";
import { parseObject, parseObjects } from "../projections/json-text.ts";
import { textOf } from "../projections/pieces.ts";
import type { Believing } from "./belief/believing.ts";
import { botCheckpoints } from "./checkpoint.ts";
import { botBookkeeping } from "./ledger.ts";
import type { OnRead } from "./lines.ts";
import { openLogFile } from "./log-file.ts";
import type { OpenDesk } from "./open-desk.ts";
import { ownPlaces, placesOf } from "./places.ts";
import { openPublication } from "./publication.ts";
import { openRecords } from "./records.ts";
import { openStateFile } from "./state-file.ts";
import { strangersAt } from "./strangers.ts";

function goneWarning(bot: string): string {
  return `The history of ${bot} that was on record here is gone, or another stands in its place (.waymark/journal). Run waymark verify.`;
}

/** Opens the desk of a bot or of one of its runs, safe with any number of processes on one project area: a journal, and the two JSON files that show it. */
export function openBotDesk(area: string, id: DeskId, clock: Clock, believing: Believing, onRead?: OnRead): OpenDesk {
  const { name: bot } = id;
  const places = placesOf(area, id);
  const { seen: memory, isInGit } = believing;
  const checkpoints = botCheckpoints(places, id, believing);
  const records = openRecords({ ...places, name: nameOf(id) }, botBookkeeping(bot), { checkpoints, memory, onRead });
  const { judgement } = records;
  const state = openStateFile(places, records, clock);
  const log = openLogFile(places, records, clock);
  const inTheWay = (): readonly string[] => strangersAt(ownPlaces(area, id));
  const publication = openPublication({ records, judgement, state, log, inTheWay });
  let isFirstLook = true;
  /** What was held is in the files once it is in the journal. */
  let wasHeld = false;
  let saving: NodeJS.Immediate | undefined;

  function show(put: () => readonly string[]): readonly string[] {
    if (!judgement.isChanged()) wasHeld = records.heldCount() > 0;
    return put();
  }

  async function look(): Promise<Snapshot> {
    const isFirst = isFirstLook;
    isFirstLook = false;
    const isReliable = records.settle();
    const judged = judgement.judge(judgement.isLost() && (await isInGit()));
    const warnings = [...judged, ...records.takeLosses(), ...publication.settle()];
    if (isFirst || !isReliable) warnings.push(...inTheWay());
    if (isFirst && isReliable && judged.length === 0 && state.isOfAnother()) warnings.push(goneWarning(bot));
    if (!isReliable || records.heldCount() > 0) warnings.push(unsavedText, unloggedText);
    else if (wasHeld || publication.isOwed()) warnings.push(...show(publication.publish));
    saveLater();
    const setAside = records.otherSides.count();
    return { seen: records.seen(), head: records.ledger().chain.head, desk: records.desk(), warnings, setAside };
  }

  function append(seen: number, events: readonly Event[], { onFault, answers }: Appending): Appended {
    // What could not be published over what was answered before is answered by this record too.
    const status = records.append(seen, events, { onFault, saw: answers ?? state.saw() });
    saveLater();
    if (status === "behind") return { status, warnings: [] };
    if (status === "held") wasHeld = true;
    const isWritten = status === "recorded" || (status === "held" && makeRoom());
    const warnings = records.takeLosses();
    if (isWritten) judgement.hear(events);
    if (isWritten && events.some(({ type }) => type === "accepted")) state.forgetAnother();
    return isWritten
      ? { status: "recorded", warnings }
      : { status, warnings: [...warnings, unsavedText, unloggedText, ...inTheWay()] };
  }

  /** Nobody should wait for it. */
  function saveLater(): void {
    saving ??= setImmediate(save);
  }

  function save(): void {
    clearImmediate(saving);
    saving = undefined;
    records.remember();
    records.save();
  }

  /** Whether what was held can be written once there is more room. */
  function makeRoom(): boolean {
    publication.giveBack();
    return records.settle() && records.heldCount() === 0;
  }

  return {
    look,
    desk() {
      records.catchUp();
      return records.desk();
    },
    append: async (seen, events, how) => append(seen, events, how),
    async *records(from) {
      records.settle();
      yield* records.stored(from);
    },
    owes: () => records.heldCount() > 0,
    async view() {
      const said = publication.settle();
      const found = state.look();
      const foundLog = records.seen() === 0 ? log.found() : undefined;
      const notices = [...said, ...state.takeNotices()];
      const warnings = judgement.isChanged() ? [] : notices;
      return { found, answers: state.saw(), warnings, ...(foundLog === undefined ? {} : { foundLog }) };
    },
    publish: async () => show(publication.publishInTime),
    // What is not ours is kept aside whenever it is overwritten, so that there is nothing to choose here.
    repair: async () => show(publication.repair),
    async shown() {
      records.settle();
      const { state: shown, log: logged, desk } = records.recount();
      return {
        state: parseObject(textOf(shown.pieces(desk))) ?? null,
        log: parseObjects(textOf(logged.pieces())) ?? [],
      };
    },
    close() {
      save();
      for (const part of [publication, records]) part.close();
    },
  };
}
