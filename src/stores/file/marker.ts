import { readFileSync } from "node:fs";
import { parseObject } from "../projections/json-text.ts";
import { replaceFile } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import type { Ledger } from "./ledger.ts";
import type { Places } from "./places.ts";

/** Remembers, across processes, that a state file was published for good: from then on its absence is a deletion. */
export type Marker = {
  /** Whether the file has stood there since the last record made without it. */
  isSet(ledger: Ledger): boolean;
  set(ledger: Ledger): void;
};

/** Opens the marker of one desk. */
export function openMarker({ marker, tmp }: Places): Marker {
  let known: { readonly journal: string; readonly seq: number } | undefined;
  const covers = ({ chain, absentAt }: Ledger): boolean =>
    known !== undefined && known.journal === chain.first && known.seq >= absentAt;
  return {
    isSet(ledger) {
      if (covers(ledger)) return true;
      const { journal, seq } = parseObject(unlessFault(() => readFileSync(marker, "utf8")) ?? "") ?? {};
      if (typeof journal === "string" && typeof seq === "number") known = { journal, seq };
      return covers(ledger);
    },
    set({ chain }) {
      if (chain.first === null) return;
      known = { journal: chain.first, seq: chain.seq };
      replaceFile(marker, [Buffer.from(`${JSON.stringify(known)}\n`)], tmp, { durable: true });
    },
  };
}
