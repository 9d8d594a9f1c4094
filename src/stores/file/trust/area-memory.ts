import { readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { unlessIoError } from "../../../kit/io-errors.ts";
import { sha256 } from "../../../kit/sha256.ts";
import type { StreamId } from "../../../workflow/stream-id.ts";
import { streamKey } from "../../stream-key.ts";
import { engineFolder, streamPaths } from "../stream-paths.ts";
import { streamsNamedIn } from "../traced-streams.ts";
import type { MachineState } from "./machine-state.ts";
import { openSeenHistory, type SeenHistory } from "./seen-history.ts";

/** This machine's memory of the histories of one project area; a moved or copied project starts empty. */
export type AreaMemory = {
  of(id: StreamId): SeenHistory;
  /** The remembered streams except these. */
  streamsExcept(known: readonly StreamId[]): readonly StreamId[];
};

/** Opens the memory of a project area, identified by its real path. */
export function openAreaMemory({ seen }: MachineState, area: string): AreaMemory {
  const folder = join(seen, sha256(unlessIoError(() => realpathSync(area)) ?? area).slice(0, 32));
  const fileOf = (id: StreamId): string =>
    join(folder, relative(join(engineFolder(area), "journal"), streamPaths(area, id).journal));
  return {
    of: (id) => openSeenHistory(fileOf(id), () => forgetOldest(seen)),
    streamsExcept(known) {
      const keys = new Set(known.map(streamKey));
      return streamsNamedIn(folder).filter((id) => {
        if (keys.has(streamKey(id))) return false;
        const seen = openSeenHistory(fileOf(id));
        return (seen.last()?.seq ?? 0) > 0 || seen.disputes().length > 0;
      });
    },
  };
}

/** The most project areas remembered, so that machines that create many do not fill up. */
const mostAreas = 2000;

function forgetOldest(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= mostAreas) return;
  const aged = names.map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs })).sort((a, b) => a.at - b.at);
  for (const { name } of aged.slice(0, mostAreas / 10)) rmSync(join(folder, name), { recursive: true, force: true });
}
