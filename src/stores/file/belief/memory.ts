import { readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { DeskId } from "../../../engine/ports.ts";
import { sha256 } from "../../../evidence/sha256.ts";
import { deskKey } from "../../desk-key.ts";
import { unlessFault } from "../faults.ts";
import { journalOf, ownFolder } from "../places.ts";
import { desksNamedIn } from "../traces.ts";
import type { Machine } from "./machine.ts";
import { openSeen, type Seen } from "./seen.ts";

/** What this machine remembers of the histories of one project area. A project that is moved or copied begins with nothing. */
export type Memory = {
  of(id: DeskId): Seen;
  /** The desks of which a record was seen or something is not accepted, without these. */
  desksBut(known: readonly DeskId[]): readonly DeskId[];
};

/** Opens what a machine remembers of a project area, which is known by where it really stands. */
export function openMemory({ seen }: Machine, area: string): Memory {
  const folder = join(seen, sha256(unlessFault(() => realpathSync(area)) ?? area).slice(0, 32));
  const fileOf = (id: DeskId): string => join(folder, relative(join(ownFolder(area), "journal"), journalOf(area, id)));
  return {
    of: (id) => openSeen(fileOf(id), () => forgetOldest(seen)),
    desksBut(known) {
      const keys = new Set(known.map(deskKey));
      return desksNamedIn(folder).filter((id) => {
        if (keys.has(deskKey(id))) return false;
        const seen = openSeen(fileOf(id));
        return (seen.last()?.seq ?? 0) > 0 || seen.disputes().length > 0;
      });
    },
  };
}

/** So many project areas are remembered: a machine that makes and removes them all day must not fill up. */
const mostAreas = 2000;

function forgetOldest(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= mostAreas) return;
  const aged = names.map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs })).sort((a, b) => a.at - b.at);
  for (const { name } of aged.slice(0, mostAreas / 10)) rmSync(join(folder, name), { recursive: true, force: true });
}
