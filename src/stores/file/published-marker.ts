import { unlessIoError } from "../../kit/io-errors.ts";
import { isObject } from "../../kit/json.ts";
import { type Chain, isUncounted } from "../chain/journal-chain.ts";
import { parseObject } from "../projections/json-text.ts";
import { replaceFile } from "./atomic-file.ts";
import type { BotTotals } from "./journal-totals.ts";
import { readPlain } from "./plain-file.ts";
import type { BotPaths } from "./stream-paths.ts";

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

/** Opens the marker of one stream. */
export function openPublishedMarker({ marker, tmp }: BotPaths): PublishedMarker {
  let known: PublishedHistory | undefined;
  const covers = ({ chain, absentAt }: BotTotals): boolean =>
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
      return published !== undefined && published.journal !== chain.first && !isUncounted(chain, published.journal);
    },
  };
}

/** The histories published from a stream, latest first; none if the marker is unreadable. */
export function readMarker(path: string): readonly PublishedHistory[] {
  const value = parseObject(unlessIoError(() => readPlain(path).toString("utf8")) ?? "");
  const earlier = Array.isArray(value?.earlier) ? value.earlier : [];
  return [value, ...earlier].flatMap((one) => {
    const { journal, seq } = isObject(one) ? one : {};
    return typeof journal === "string" && typeof seq === "number" ? [{ journal, seq }] : [];
  });
}
