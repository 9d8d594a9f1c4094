import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { relative } from "node:path";
import { deserialize, serialize } from "node:v8";
import { type GrowingBytes, growing } from "../../kit/growing-bytes.ts";
import { ioErrorCode, unlessIoError } from "../../kit/io-errors.ts";
import { sha256 } from "../../kit/sha256.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import type { Chain } from "../chain/journal-chain.ts";
import { logProjection } from "../projections/activity-log.ts";
import { stateProjection } from "../projections/workflow-state.ts";
import { streamKey } from "../stream-key.ts";
import { removeFile, replaceFile } from "./atomic-file.ts";
import type { BotTotals } from "./journal-totals.ts";
import { keepAside } from "./keep-aside.ts";
import { readPlain } from "./plain-file.ts";
import type { BotPaths, StreamPaths } from "./stream-paths.ts";
import { seal, unseal } from "./trust/seal.ts";
import type { TrustBasis } from "./trust/trust-basis.ts";

/** Caches the totals of a journal, so that the next process need not read all of it; the journal alone counts. */
export type Checkpoints<L> = {
  /** Returns the saved totals and the journal bytes they cover, or the doubt about them; `at` adds the journal up to one record. */
  restore(journal: OpenJournal, at: (seq: number) => L): Checkpoint<L> | { readonly doubt?: string };
  /** Moves an untrusted checkpoint aside. */
  moveAside(): void;
  save(fd: number, checkpoint: Checkpoint<L>): void;
};

type OpenJournal = { readonly fd: number; readonly size: number };

type Checkpoint<L> = { readonly ledger: L; readonly bytes: number };

/** Changes whenever a stream, projection or chain is computed differently: older checkpoints are not trusted. */
const format = 17;

/** The beginning of a file: its length and hash. */
type Prefix = { readonly length: number; readonly sha256: string };

type SavedCheckpoint = {
  readonly format: number;
  /** The project area it was made in: a copied project brings its checkpoint along. */
  readonly area: string;
  readonly journal: Prefix;
  readonly tally: Pick<BotTotals, "stream" | "saw" | "absentAt">;
  readonly chain: Omit<Chain, "waiting" | "unreadable">;
  readonly state: Prefix & { readonly count: number; readonly beginnings: number };
  readonly log: Prefix & { readonly last: string };
};

/**
 * The checkpoints of one bot: trusted if this machine made them from exactly these journal bytes, which are hashed in full. The published
 * files are not stored twice but reused if their hash still matches.
 */
export function botCheckpoints(places: BotPaths, id: StreamId, believing: TrustBasis): Checkpoints<BotTotals> {
  const { name: bot } = id;
  return {
    restore(open, at) {
      const read = readCheckpoint(places, id, believing, open);
      if (!("saved" in read)) return read;
      const { tally, chain, state, log, journal } = read.saved;
      const ledger: BotTotals = {
        ...tally,
        chain: { ...chain, waiting: new Map(), unreadable: [] },
        state: stateProjection(bot, {
          ...state,
          lines: growingPrefix(places.state, state, () => at(chain.seq).state.saved().lines),
        }),
        log: logProjection(bot, {
          ...log,
          entries: growingPrefix(places.log, log, () => at(chain.seq).log.saved().entries),
        }),
      };
      return { ledger, bytes: journal.length };
    },
    moveAside() {
      unlessIoError(() => {
        keepAside(places.checkpoint, places.kept, new Date());
        removeFile(places.checkpoint);
      });
    },
    save(fd, { ledger, bytes }) {
      const key = believing.machine?.key();
      if (key === undefined) return; // without a key it could not be told from a forged one
      const { stream, saw, absentAt } = ledger;
      const { waiting: _, unreadable: __, ...chain } = ledger.chain;
      const { lines, ...state } = ledger.state.saved();
      const { entries, ...log } = ledger.log.saved();
      unlessIoError(() => {
        const saved: SavedCheckpoint = {
          format,
          area: places.area,
          journal: { length: bytes, sha256: hashOf(fd, bytes) },
          tally: { stream, saw, absentAt },
          chain,
          state: { ...state, ...prefixOf(lines) },
          log: { ...log, ...prefixOf(entries) },
        };
        replaceFile(places.checkpoint, seal(key, about(id), serialize(saved)), places.tmp, { durable: false });
        believing.seen?.sealed();
      });
    },
  };
}

type CheckpointRead = { readonly saved: SavedCheckpoint } | { readonly doubt?: string };

/** Reads the checkpoint, or the reason it is not trusted if someone must have put it there. */
function readCheckpoint(places: StreamPaths, id: StreamId, believing: TrustBasis, open: OpenJournal): CheckpointRead {
  const read = openCheckpoint(places, id, believing);
  if (!("saved" in read) || coversJournal(read.saved, open)) return read;
  return read.saved.area === places.area ? {} : { doubt: foreignMessage(places) }; // the local journal may have been rolled back
}

/** The reason a checkpoint is not trusted, if someone must have put it there. */
export function doubtCheckpoint(
  places: StreamPaths,
  id: StreamId,
  believing: TrustBasis,
  open: OpenJournal,
): string | undefined {
  const read = openCheckpoint(places, id, believing);
  // One made here is not forged, so the journal need not be hashed.
  if ("saved" in read && read.saved.area === places.area) return undefined;
  const { doubt } = { doubt: undefined, ...readCheckpoint(places, id, believing, open) };
  return doubt;
}

/** Opens this machine's checkpoint; whether it fits the journal is checked later. */
function openCheckpoint(places: StreamPaths, id: StreamId, { machine, seen }: TrustBasis): CheckpointRead {
  const bytes = unlessIoError(() => readPlain(places.checkpoint));
  const key = bytes === undefined ? undefined : machine?.key();
  if (bytes === undefined || key === undefined) return {};
  const opened = unseal(key, about(id), bytes);
  // Another machine's, an old unsealed or a truncated checkpoint is no forgery.
  if ("not" in opened) {
    const isForged = opened.not === "forged" || (opened.not === "unsealed" && seen?.isSealed());
    return isForged ? { doubt: foreignMessage(places) } : {};
  }
  const saved = parse(opened.body);
  return saved === undefined ? {} : { saved };
}

function coversJournal({ journal: { length, sha256: hash } }: SavedCheckpoint, { fd, size }: OpenJournal): boolean {
  return length <= size && unlessIoError(() => hashOf(fd, length)) === hash;
}

function about(id: StreamId): string {
  return `checkpoint of ${streamKey(id)}`;
}

function foreignMessage({ area, checkpoint }: StreamPaths): string {
  return `${relative(area, checkpoint)} is not what Waymark saved: it was changed or copied here`;
}

function parse(body: Buffer): SavedCheckpoint | undefined {
  try {
    const saved: SavedCheckpoint = deserialize(body);
    return saved.format === format ? saved : undefined;
  } catch (error) {
    if (ioErrorCode(error) !== undefined || error instanceof Error) return undefined; // written by an incompatible Node version
    throw error;
  }
}

/** The beginning of a published file or, if it changed, of what the journal says. */
function growingPrefix(path: string, prefix: Prefix, recount: () => GrowingBytes): GrowingBytes {
  return growing(prefix.length, () => {
    const bytes = unlessIoError(() => readPlain(path))?.subarray(0, prefix.length);
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
