import { createHash } from "node:crypto";
import { readFileSync, readSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import type { Chain } from "../chain/chain.ts";
import { sha256 } from "../chain/record.ts";
import { logProjection } from "../projections/activity-log.ts";
import { type GrowingBytes, growing } from "../projections/growing-bytes.ts";
import { stateProjection } from "../projections/workflow-state.ts";
import { replaceFile } from "./disk.ts";
import { faultCode, unlessFault } from "./faults.ts";
import type { Ledger } from "./ledger.ts";
import type { Places } from "./places.ts";

/** Keeps what a journal added up to, so that the next process need not read all of it. A cache: the journal alone counts. */
export type Checkpoints<L> = {
  /** What was saved, and how many bytes of the journal it stands for; undefined where it does not fit the journal. `at` adds the journal up to one record. */
  restore(journal: { readonly fd: number; readonly size: number }, at: (seq: number) => L): Checkpoint<L> | undefined;
  save(fd: number, checkpoint: Checkpoint<L>): void;
};

type Checkpoint<L> = { readonly ledger: L; readonly bytes: number };

/** Changes whenever a desk, a projection or a chain adds up otherwise than before: what older code saved is not believed. */
const format = 7;

/** The beginning of a file: how long it is, and what it hashes to. */
type Prefix = { readonly length: number; readonly sha256: string };

type Saved = {
  readonly format: number;
  readonly journal: Prefix;
  readonly tally: Pick<Ledger, "desk" | "saw" | "absentAt">;
  readonly chain: Omit<Chain, "waiting" | "unreadable">;
  readonly state: Prefix & { readonly count: number; readonly beginnings: number };
  readonly log: Prefix & { readonly last: string };
};

/**
 * The checkpoints of one bot. It is believed only of the very bytes that it was made from, all of which are hashed; what
 * the two published files show is not kept twice, but taken from them, where they still hash to what they did.
 */
export function botCheckpoints(places: Places, bot: string): Checkpoints<Ledger> {
  return {
    restore({ fd, size }, at) {
      const saved = read(places.checkpoint);
      if (saved === undefined || saved.journal.length > size) return undefined;
      if (unlessFault(() => hashOf(fd, saved.journal.length)) !== saved.journal.sha256) return undefined;
      const { tally, chain, state, log, journal } = saved;
      const ledger: Ledger = {
        ...tally,
        chain: { ...chain, waiting: new Map(), unreadable: [] },
        state: stateProjection(bot, {
          ...state,
          lines: fetched(places.state, state, () => at(chain.seq).state.saved().lines),
        }),
        log: logProjection(bot, { ...log, entries: fetched(places.log, log, () => at(chain.seq).log.saved().entries) }),
      };
      return { ledger, bytes: journal.length };
    },
    save(fd, { ledger, bytes }) {
      const { desk, saw, absentAt } = ledger;
      const { waiting: _, unreadable: __, ...chain } = ledger.chain;
      const { lines, ...state } = ledger.state.saved();
      const { entries, ...log } = ledger.log.saved();
      unlessFault(() => {
        const saved: Saved = {
          format,
          journal: { length: bytes, sha256: hashOf(fd, bytes) },
          tally: { desk, saw, absentAt },
          chain,
          state: { ...state, ...prefixOf(lines) },
          log: { ...log, ...prefixOf(entries) },
        };
        const body = serialize(saved);
        replaceFile(places.checkpoint, [Buffer.from(sha256(body), "hex"), body], places.tmp, { durable: false });
      });
    },
  };
}

const sumLength = 32;

function read(path: string): Saved | undefined {
  const bytes = unlessFault(() => readFileSync(path));
  const body = bytes?.subarray(sumLength);
  if (bytes === undefined || body === undefined || sha256(body) !== bytes.toString("hex", 0, sumLength))
    return undefined;
  try {
    const saved: Saved = deserialize(body);
    return saved.format === format ? saved : undefined;
  } catch (error) {
    if (faultCode(error) !== undefined || error instanceof Error) return undefined; // written by a Node that we do not understand
    throw error;
  }
}

/** The beginning of a published file, or, where it is no longer what it was, of what the journal says. */
function fetched(path: string, prefix: Prefix, recount: () => GrowingBytes): GrowingBytes {
  return growing(prefix.length, () => {
    const bytes = unlessFault(() => readFileSync(path))?.subarray(0, prefix.length);
    return bytes !== undefined && sha256(bytes) === prefix.sha256 ? bytes : recount().view();
  });
}

function prefixOf(bytes: GrowingBytes): Prefix {
  return { length: bytes.length(), sha256: sha256(bytes.view()) };
}

function hashOf(fd: number, length: number): string {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (let offset = 0; offset < length; ) {
    const read = readSync(fd, chunk, 0, Math.min(chunk.length, length - offset), offset);
    if (read === 0) return "";
    hash.update(chunk.subarray(0, read));
    offset += read;
  }
  return hash.digest("hex");
}
