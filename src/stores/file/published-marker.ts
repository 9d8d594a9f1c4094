import { relative } from "node:path";
import { unlessIoError } from "../../kit/io-errors.ts";
import { isObject } from "../../kit/json.ts";
import { realPathOrSameSync } from "../../kit/real-path.ts";
import { type Chain, isUncounted } from "../chain/journal-chain.ts";
import { parseObject } from "../projections/json-text.ts";
import { replaceFile } from "./atomic-file.ts";
import type { BotTotals } from "./journal-totals.ts";
import { readPlain } from "./plain-file.ts";
import type { StreamPaths } from "./stream-paths.ts";
import type { MachineState } from "./trust/machine-state.ts";
import { seal, unseal } from "./trust/seal.ts";

/** Remembers across processes that a state file was published: from then on, its absence is a deletion. */
export type PublishedMarker = {
  /** Tells if the file has existed since the last record made without it. */
  isSet(ledger: BotTotals): boolean;
  set(ledger: BotTotals): void;
  /** Tells if another history was published here before. */
  isOfAnother(chain: Chain): boolean;
};

/** A published history: its first record's hash and its length when the marker was set. */
type PublishedHistory = { readonly journal: string; readonly seq: number };

/** Opens the marker of one stream; it is sealed, since one that git brings from another machine says nothing about this one. */
export function openPublishedMarker(paths: StreamPaths, machine: MachineState | undefined): PublishedMarker {
  let known: PublishedHistory | undefined;
  const covers = ({ chain, absentAt }: BotTotals): boolean =>
    known !== undefined && known.journal === chain.first && known.seq >= absentAt;
  return {
    isSet(ledger) {
      if (covers(ledger)) return true;
      known = readMarker(paths, machine)[0] ?? known;
      return covers(ledger);
    },
    set({ chain }) {
      if (chain.first === null) return;
      known = { journal: chain.first, seq: chain.seq };
      const key = keyFor(paths, machine);
      if (key === undefined) return; // without a key it could not be told from another machine's
      const earlier = readMarker(paths, machine).filter(({ journal }) => journal !== chain.first);
      const kept = earlier.length === 0 ? known : { ...known, earlier };
      replaceFile(paths.marker, seal(key, about(paths), Buffer.from(JSON.stringify(kept))), paths.tmp, {
        durable: true,
      });
    },
    isOfAnother(chain) {
      const [published] = readMarker(paths, machine);
      return published !== undefined && published.journal !== chain.first && !isUncounted(chain, published.journal);
    },
  };
}

/** The histories this machine published from a stream, latest first; none if the marker is unreadable or not this machine's. */
export function readMarker(paths: StreamPaths, machine: MachineState | undefined): readonly PublishedHistory[] {
  const bytes = unlessIoError(() => readPlain(paths.marker));
  const key = bytes === undefined ? undefined : keyFor(paths, machine);
  const opened = bytes === undefined || key === undefined ? undefined : unseal(key, about(paths), bytes);
  const value = opened !== undefined && "body" in opened ? parseObject(opened.body.toString("utf8")) : undefined;
  const earlier = Array.isArray(value?.earlier) ? value.earlier : [];
  return [value, ...earlier].flatMap((one) => {
    const { journal, seq } = isObject(one) ? one : {};
    return typeof journal === "string" && typeof seq === "number" ? [{ journal, seq }] : [];
  });
}

function keyFor({ area }: StreamPaths, machine: MachineState | undefined): ReturnType<MachineState["key"]> {
  return machine?.isOutside(area) === true ? machine.key() : undefined;
}

/** The place is part of it: another clone on this machine has files of its own. */
function about({ area, own, marker }: StreamPaths): string {
  return `published from ${relative(own, marker)} in ${realPathOrSameSync(area)}`;
}
