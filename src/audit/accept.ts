import type { DeskId } from "../engine/ports.ts";
import type { Stamp } from "../workflow/events.ts";
import { type Audit, type AuditedArea, asideInWords } from "./audit.ts";
import { deskName } from "./desk-name.ts";
import { setAsideOf } from "./set-aside.ts";

/** What a person may accept of one history: what is said of it, and the records or histories that are meant. */
export type Acceptable = {
  readonly id: DeskId;
  readonly area: AuditedArea;
  readonly what: readonly string[];
  readonly hashes: readonly string[];
};

/** What is said of histories until a person accepts it. A chain that is broken, a signed head that does not fit and held content that was changed are none of that. */
export function acceptableOf({ desks, missing }: Audit): readonly Acceptable[] {
  const all = [
    ...desks.map(({ kind, name, run, journal, area }) => {
      const id: DeskId = { kind, name, ...(run === undefined ? {} : { run }) };
      return { id, journal, area };
    }),
    ...missing,
  ];
  return all.flatMap(({ id, journal, area }) => {
    const disputes = journal.disputes ?? [];
    const aside = setAsideOf(journal).filter(({ accepted }) => !accepted);
    const what = [...disputes.map(({ text }) => text), ...aside.map((one) => asideInWords(journal, one))];
    const hashes = [...disputes.flatMap(({ hash }) => hash ?? []), ...aside.map(({ hash }) => hash)];
    return what.length === 0 ? [] : [{ id, area, what, hashes }];
  });
}

/** Puts on record, in the history itself, that a person has taken it as it stands, and shows it so; answers why where that cannot be recorded. */
export async function accept({ id, area, what, hashes }: Acceptable, stamp: Stamp): Promise<string | undefined> {
  const { log, views } = area;
  for (let round = 0; round < mostRounds; round++) {
    const { seen } = await log.look(id);
    const event = { type: "accepted", ...stamp, what, hashes } as const;
    const { status } = await log.append(id, seen, [event], { onFault: "refuse" });
    if (status === "behind") continue;
    if (status !== "recorded") return `${deskName(id)}: it cannot be recorded now`;
    const { found } = await views.look(id);
    if (found.kind === "behind") await views.repair(id, { keepAside: true });
    return undefined;
  }
  return `${deskName(id)}: other processes keep writing there`;
}

const mostRounds = 100;
