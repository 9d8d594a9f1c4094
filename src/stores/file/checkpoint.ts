import { createHash } from "node:crypto";
import { readSync } from "node:fs";
import { relative } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { DeskId } from "../../engine/ports.ts";
import { sha256 } from "../../evidence/sha256.ts";
import type { Chain } from "../chain/chain.ts";
import { deskKey } from "../desk-key.ts";
import { logProjection } from "../projections/activity-log.ts";
import { type GrowingBytes, growing } from "../projections/growing-bytes.ts";
import { stateProjection } from "../projections/workflow-state.ts";
import type { Believing } from "./belief/believing.ts";
import { seal, unseal } from "./belief/seal.ts";
import { removeFile, replaceFile } from "./disk.ts";
import { faultCode, unlessFault } from "./faults.ts";
import { keepAside } from "./kept.ts";
import type { Ledger } from "./ledger.ts";
import type { Places } from "./places.ts";
import { readPlain } from "./plain-file.ts";

/** Keeps what a journal added up to, so that the next process need not read all of it. A cache: the journal alone counts. */
export type Checkpoints<L> = {
  /** What was saved, and how many bytes of the journal it stands for; or why it is not believed, where that is to be said. `at` adds the journal up to one record. */
  restore(journal: OpenJournal, at: (seq: number) => L): Checkpoint<L> | { readonly doubt?: string };
  /** Keeps one that is not believed aside, so that nobody looks at it again. */
  putAside(): void;
  save(fd: number, checkpoint: Checkpoint<L>): void;
};

type OpenJournal = { readonly fd: number; readonly size: number };

type Checkpoint<L> = { readonly ledger: L; readonly bytes: number };

/** Changes whenever a desk, a projection or a chain adds up otherwise than before: what older code saved is not believed. */
const format = 13;

/** The beginning of a file: how long it is, and what it hashes to. */
type Prefix = { readonly length: number; readonly sha256: string };

type Saved = {
  readonly format: number;
  /** The project area that it was made in: a copy of a project brings its own along. */
  readonly area: string;
  readonly journal: Prefix;
  readonly tally: Pick<Ledger, "desk" | "saw" | "absentAt">;
  readonly chain: Omit<Chain, "waiting" | "unreadable">;
  readonly state: Prefix & { readonly count: number; readonly beginnings: number };
  readonly log: Prefix & { readonly last: string };
};

/**
 * The checkpoints of one bot. Believed is what this machine itself made of the very bytes of the journal that stand there,
 * all of which are hashed; what the two published files show is not kept twice, but taken from them, where they still hash
 * to what they did.
 */
export function botCheckpoints(places: Places, id: DeskId, believing: Believing): Checkpoints<Ledger> {
  const { name: bot } = id;
  return {
    restore(open, at) {
      const read = readCheckpoint(places, id, believing, open);
      if (!("saved" in read)) return read;
      const { tally, chain, state, log, journal } = read.saved;
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
    putAside() {
      unlessFault(() => {
        keepAside(places.checkpoint, places.kept, new Date());
        removeFile(places.checkpoint);
      });
    },
    save(fd, { ledger, bytes }) {
      const key = believing.machine?.key();
      if (key === undefined) return; // nobody could tell it from another's
      const { desk, saw, absentAt } = ledger;
      const { waiting: _, unreadable: __, ...chain } = ledger.chain;
      const { lines, ...state } = ledger.state.saved();
      const { entries, ...log } = ledger.log.saved();
      unlessFault(() => {
        const saved: Saved = {
          format,
          area: places.area,
          journal: { length: bytes, sha256: hashOf(fd, bytes) },
          tally: { desk, saw, absentAt },
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

type Read = { readonly saved: Saved } | { readonly doubt?: string };

/** What stands in the place of a checkpoint: one that is believed, or not, and why, where somebody must have put it there. */
function readCheckpoint(places: Places, id: DeskId, believing: Believing, open: OpenJournal): Read {
  const read = openCheckpoint(places, id, believing);
  if (!("saved" in read) || standsFor(read.saved, open)) return read;
  return read.saved.area === places.area ? {} : { doubt: notOurs(places) }; // the journal of here may have gone back
}

/** Why what stands in the place of a checkpoint is not believed, where somebody must have put it there. */
export function doubtCheckpoint(
  places: Places,
  id: DeskId,
  believing: Believing,
  open: OpenJournal,
): string | undefined {
  const read = openCheckpoint(places, id, believing);
  // One that was made here is nobody's doing, and the journal need not be hashed for it.
  if ("saved" in read && read.saved.area === places.area) return undefined;
  const { doubt } = { doubt: undefined, ...readCheckpoint(places, id, believing, open) };
  return doubt;
}

/** What was saved there, by this machine; whether it is of this journal is yet to be seen. */
function openCheckpoint(places: Places, id: DeskId, { machine, seen }: Believing): Read {
  const bytes = unlessFault(() => readPlain(places.checkpoint));
  const key = bytes === undefined ? undefined : machine?.key();
  if (bytes === undefined || key === undefined) return {};
  const opened = unseal(key, about(id), bytes);
  // Another machine's, one of before there was a seal, and one that a crash cut short are nobody's doing.
  if ("not" in opened) {
    const isForged = opened.not === "forged" || (opened.not === "unsealed" && seen?.isSealed());
    return isForged ? { doubt: notOurs(places) } : {};
  }
  const saved = parse(opened.body);
  return saved === undefined ? {} : { saved };
}

function standsFor({ journal: { length, sha256: hash } }: Saved, { fd, size }: OpenJournal): boolean {
  return length <= size && unlessFault(() => hashOf(fd, length)) === hash;
}

function about(id: DeskId): string {
  return `checkpoint of ${deskKey(id)}`;
}

function notOurs({ area, checkpoint }: Places): string {
  return `${relative(area, checkpoint)} is not what Waymark saved there: it was changed, or comes from another place`;
}

function parse(body: Buffer): Saved | undefined {
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
    const bytes = unlessFault(() => readPlain(path))?.subarray(0, prefix.length);
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
