import { resolve } from "node:path";
import type { Appended, Clock, History, Snapshot } from "../../engine/ports.ts";
import type { Event } from "../../workflow/events.ts";
import { unsavedText } from "../../workflow/refusals.ts";
import { parseObject, parseObjects } from "../projections/json-text.ts";
import { textOf } from "../projections/pieces.ts";
import { botCheckpoints } from "./checkpoint.ts";
import { sweepTemps } from "./disk.ts";
import { botBookkeeping } from "./ledger.ts";
import { openLogFile } from "./log-file.ts";
import { placesOf } from "./places.ts";
import { openRecords } from "./records.ts";
import { openStateFile } from "./state-file.ts";

const logWarning = "Unable to log activity. Audit trail may be incomplete.";

function goneWarning(bot: string): string {
  return `The history of ${bot} that was on record here is gone, or another stands in its place (.waymark/journal). Run waymark verify.`;
}

/** Whose history it is, and where it stands. */
export type FileHistoryOptions = {
  readonly projectArea: string;
  readonly bot: string;
  readonly clock: Clock;
  /** Whether what cannot be recorded fails now, instead of being held until it can be. */
  readonly strict?: () => boolean;
};

/** A history in files, safe with any number of processes on one project area: a journal, and the two JSON files that show it. */
export function fileHistory(options: FileHistoryOptions): History & { close(): void } {
  const { projectArea, bot, clock, strict = () => false } = options;
  const places = placesOf(resolve(projectArea), bot);
  const records = openRecords(
    places,
    botBookkeeping(bot),
    () => (strict() ? "refuse" : "hold"),
    botCheckpoints(places, bot),
  );
  const state = openStateFile(places, records, clock);
  const log = openLogFile(places, records, clock);
  let isFirstLook = true;
  /** What was held is in the files once it is in the journal. */
  let wasHeld = false;
  let saving: NodeJS.Immediate | undefined;

  /**
   * Publishes until nobody has recorded anything in between, so that a slow window leaves no older file behind.
   * It ends: whoever is in here appends nothing.
   */
  function publish(putState: () => boolean): readonly string[] {
    wasHeld = records.heldCount() > 0;
    const putBoth = (): readonly string[] =>
      [putState() ? [] : [unsavedText], log.publish() ? [] : [logWarning]].flat();
    for (;;) {
      const before = records.ledger().chain.head;
      let failures = putBoth();
      if (failures.length > 0) {
        giveBack();
        failures = putBoth();
      }
      records.catchUp();
      if (records.ledger().chain.head === before) return [...failures, ...log.takeNotices()];
    }
  }

  function look(): Snapshot {
    const isFirst = isFirstLook;
    if (isFirst) sweepTemps(places.tmp);
    isFirstLook = false;
    const isReliable = records.settle();
    const warnings = [...records.takeLosses()];
    if (isFirst && isReliable && state.isOfAnother()) warnings.push(goneWarning(bot));
    if (!isReliable || records.heldCount() > 0) warnings.push(unsavedText, logWarning);
    else if (wasHeld || log.isOwed() || state.isOwed()) warnings.push(...publish(state.publish));
    const found = state.look();
    const seen = records.seen();
    saving ??= setImmediate(save); // nobody should wait for it
    const foundLog = seen === 0 ? log.found() : undefined;
    return { seen, desk: records.desk(), found, warnings, ...(foundLog === undefined ? {} : { foundLog }) };
  }

  function append(seen: number, events: readonly Event[]): Appended {
    const status = records.append(seen, events, state.saw());
    switch (status) {
      case "behind":
        return { status, warnings: [] };
      case "failed":
        return { status, warnings: [...records.takeLosses(), unsavedText, logWarning] };
      case "held":
        wasHeld = true;
        if (!makeRoom()) return { status, warnings: [...records.takeLosses(), unsavedText, logWarning] };
        break;
      case "recorded":
    }
    return { status: "recorded", warnings: [...records.takeLosses(), ...publish(state.publish)] };
  }

  function save(): void {
    clearImmediate(saving);
    saving = undefined;
    records.save();
  }

  /** Removes the copies that make publishing quick: the disk may be full of them. */
  function giveBack(): void {
    for (const file of [state, log]) file.close();
  }

  /** Whether what was held can be written once there is more room. */
  function makeRoom(): boolean {
    giveBack();
    return records.settle() && records.heldCount() === 0;
  }

  return {
    look: async () => look(),
    append: async (seen, events) => append(seen, events),
    // What is not ours is kept aside whenever it is overwritten, so that there is nothing to choose here.
    repair: async () => publish(state.repair),
    async events() {
      records.settle();
      return records.events();
    },
    async views() {
      records.settle();
      const { state: shown, log: logged, desk } = records.recount();
      return {
        state: parseObject(textOf(shown.pieces(desk))) ?? null,
        log: parseObjects(textOf(logged.pieces())) ?? [],
      };
    },
    owes: () => records.heldCount() > 0,
    close() {
      save();
      for (const part of [records, state, log]) part.close();
    },
  };
}
