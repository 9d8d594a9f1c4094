import { isObject } from "../../evidence/json.ts";
import { type Chain, isBeside } from "../chain/chain.ts";
import { parseObject } from "../projections/json-text.ts";
import { replaceFile } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import type { Ledger } from "./ledger.ts";
import type { Places } from "./places.ts";
import { readPlain } from "./plain-file.ts";

/** Remembers, across processes, that a state file was published for good: from then on its absence is a deletion. */
export type Marker = {
  /** Whether the file has stood there since the last record made without it. */
  isSet(ledger: Ledger): boolean;
  set(ledger: Ledger): void;
  /** Whether another history than this one was published here: it is gone, or was replaced. */
  isOfAnother(chain: Chain): boolean;
};

/** A history that was published here: the hash of its first record, and how many there were when the marker was set. */
type Published = { readonly journal: string; readonly seq: number };

/** Opens the marker of one desk. */
export function openMarker({ marker, tmp }: Places): Marker {
  let known: Published | undefined;
  const covers = ({ chain, absentAt }: Ledger): boolean =>
    known !== undefined && known.journal === chain.first && known.seq >= absentAt;
  return {
    isSet(ledger) {
      if (covers(ledger)) return true;
      known = readMarker(marker)[0] ?? known;
      return covers(ledger);
    },
    set({ chain }) {
      if (chain.first === null) return;
      known = { journal: chain.first, seq: chain.seq };
      const earlier = readMarker(marker).filter(({ journal }) => journal !== chain.first);
      const kept = earlier.length === 0 ? known : { ...known, earlier };
      replaceFile(marker, [Buffer.from(`${JSON.stringify(kept)}\n`)], tmp, { durable: true });
    },
    isOfAnother(chain) {
      const [published] = readMarker(marker);
      return published !== undefined && published.journal !== chain.first && !isBeside(chain, published.journal);
    },
  };
}

/** The histories that were published from a desk, the latest first; none where the marker cannot be read. */
export function readMarker(path: string): readonly Published[] {
  const value = parseObject(unlessFault(() => readPlain(path).toString("utf8")) ?? "");
  const earlier = Array.isArray(value?.earlier) ? value.earlier : [];
  return [value, ...earlier].flatMap((one) => {
    const { journal, seq } = isObject(one) ? one : {};
    return typeof journal === "string" && typeof seq === "number" ? [{ journal, seq }] : [];
  });
}
