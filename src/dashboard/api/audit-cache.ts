import { setImmediate, setTimeout as wait } from "node:timers/promises";
import {
  type AuditedStream,
  auditStreamById,
  type KnownSigners,
  listProblems,
  type MissingHistory,
} from "../../audit/audit-streams.ts";
import { countText } from "../../kit/count-text.ts";
import { cutLine } from "../overview/cut-values.ts";
import type { AuditRow, ChainState } from "./board-data.ts";
import type { BoardRun } from "./board-runs.ts";
import type { BoardProject } from "./ports.ts";

/** The result of auditing a history in the background. */
export type AuditResult = Pick<AuditRow, "approvals" | "notes"> & {
  readonly chain: ChainState;
  /** All problems found. */
  readonly problems: readonly string[];
};

/** Audits histories again one at a time when they change, and caches the results by head. */
export type AuditCache = {
  /** Returns the latest result; audits again in the background if it is outdated. */
  get(stream: BoardRun, head?: string): AuditResult;
  /** Audits a history soon that has another head than when it was audited, or never was. */
  note(stream: BoardRun, head: string): void;
  /** Audits a history again soon. */
  touch(stream: BoardRun): void;
  /** Audits these again now. */
  again(streams: readonly BoardRun[]): Promise<void>;
  /** Returns true if all of so many are intact, or null while one has never been audited. */
  whole(total: number): boolean | null;
  /** Tells if a history was audited. */
  has(key: string): boolean;
  /** The keys of the histories that are broken. */
  broken(): ReadonlySet<string>;
  /** Forgets all other histories. */
  retain(keys: Pick<ReadonlySet<string>, "has">): void;
  /** Stops background audits. */
  close(): void;
};

/** The milliseconds after which a result is outdated, because a file can change without its head. */
const cacheMs = 60_000;

/** A history is audited again after this many times as long as it took: a long one that is being written is read less often. */
const timeShare = 50;

/** The pauses after an audit, in the time it took: requests go first, and audits again take a tenth of the time at most. */
const [pauseAfterFirst, pauseAfterAgain] = [2, 9];

/** Creates audits; `found` is called when a history's state changes. */
export function auditCache(project: Project, found: (stream: BoardRun) => void): AuditCache {
  const known = new Map<string, CachedAudit>();
  const broken = new Set<string>();
  const due = new Map<string, BoardRun>();
  /** The histories that are due after their pause. */
  const later = new Map<string, NodeJS.Timeout>();
  let isReading = false;
  let isClosed = false;

  async function read(stream: BoardRun): Promise<void> {
    const from = Date.now();
    const before = known.get(stream.key);
    const audited = await audit(project, stream);
    const chain = audited.chain;
    known.set(stream.key, { audited, at: Date.now(), ms: Date.now() - from, head: "head" in chain ? chain.head : "" });
    if (chain.state === "broken") broken.add(stream.key);
    else broken.delete(stream.key);
    if (before?.audited.chain.state !== chain.state || before.audited.problems.length !== audited.problems.length)
      found(stream);
  }

  async function readAll(): Promise<void> {
    if (isReading) return;
    isReading = true;
    for (let [next] = due.values(); next !== undefined; [next] = due.values()) {
      due.delete(next.key);
      const from = performance.now();
      const pause = known.has(next.key) ? pauseAfterAgain : pauseAfterFirst;
      // A history that cannot be read now is read next time.
      await read(next).catch(() => undefined);
      await wait(pause * (performance.now() - from));
    }
    isReading = false;
  }

  let reading: Promise<void> | undefined;
  async function readThese(streams: readonly BoardRun[]): Promise<void> {
    for (const stream of streams) {
      await read(stream);
      await setImmediate();
    }
  }

  function soon(stream: BoardRun): void {
    letGo(stream.key);
    if (isClosed) return;
    due.set(stream.key, stream);
    void readAll();
  }

  function letGo(key: string): void {
    clearTimeout(later.get(key));
    later.delete(key);
  }

  function touch(stream: BoardRun): void {
    const before = known.get(stream.key);
    const rest = before === undefined ? 0 : before.at + before.ms * timeShare - Date.now();
    if (rest <= 0) soon(stream);
    else if (!later.has(stream.key) && !isClosed) later.set(stream.key, setTimeout(() => soon(stream), rest).unref());
  }

  return {
    touch,
    note(stream, head) {
      if (known.get(stream.key)?.head.startsWith(head) !== true) touch(stream);
    },
    get(stream, head) {
      const so = known.get(stream.key);
      const hasMoved = head !== undefined && so !== undefined && !so.head.startsWith(head);
      if (so === undefined || hasMoved || Date.now() - so.at > cacheMs) touch(stream);
      return so?.audited ?? pendingResult;
    },
    again(streams) {
      // Concurrent requests share one audit.
      reading ??= readThese(streams).finally(() => {
        reading = undefined;
      });
      return reading;
    },
    retain(keys) {
      for (const key of [...known.keys(), ...due.keys(), ...later.keys()]) {
        if (keys.has(key)) continue;
        letGo(key);
        due.delete(key);
        known.delete(key);
        broken.delete(key);
      }
    },
    has: (key) => known.has(key),
    broken: () => broken,
    whole: (total) => (broken.size > 0 ? false : known.size < total ? null : true),
    close() {
      isClosed = true;
      for (const key of [...later.keys()]) letGo(key);
      due.clear();
      known.clear();
      broken.clear();
    },
  };
}

type Project = Pick<BoardProject, "approvers" | "runners">;

async function signersOf(project: Project): Promise<KnownSigners> {
  const [approvers, runners] = await Promise.all([project.approvers(), project.runners()]);
  return { approvers, runners };
}

type CachedAudit = { readonly audited: AuditResult; readonly at: number; readonly ms: number; readonly head: string };

const pendingResult: AuditResult = {
  chain: { state: "looking" },
  problems: [],
  approvals: { proven: 0, doubtful: 0 },
  notes: [],
};

async function audit(project: Project, { id, area }: BoardRun): Promise<AuditResult> {
  const audited = await auditStreamById(area, id, [], await signersOf(project));
  return "problem" in audited ? missingResult(audited) : stateOf(audited);
}

/** Describes a missing history; under committed histories one on another git branch is not lost. */
function missingResult({ problem, journal: { records, seq, head, elsewhere } }: MissingHistory): AuditResult {
  const said = cutLine(problem, 400);
  const { approvals } = pendingResult;
  if (elsewhere === true)
    return {
      ...pendingResult,
      chain: { state: "whole", records, head },
      notes: [`${said} from here: it is on another git branch`],
    };
  return { chain: { state: "broken", records, head, seq, reason: said }, problems: [said], approvals, notes: [] };
}

function stateOf(audited: AuditedStream): AuditResult {
  const { journal, approvals } = audited;
  const { records, head } = journal;
  const problems = listProblems(audited).map((one) => cutLine(one, 600));
  const [first] = journal.breaks;
  const doubtful = approvals.filter(({ problem }) => problem !== undefined).length;
  const broken = {
    ...{ state: "broken" as const, records, head },
    seq: first?.seq ?? journal.seq,
    reason: first === undefined ? (problems[0] ?? "") : cutLine(first.reason, 400),
    ...((journal.disputes ?? []).length === 0 ? {} : { accept: true }),
  };
  return {
    chain: problems.length === 0 ? { state: "whole", records, head } : broken,
    problems,
    approvals: { proven: approvals.length - doubtful, doubtful },
    notes: notesOf(audited),
  };
}

function notesOf({ journal, files }: AuditedStream): readonly string[] {
  const count = (kind: string): number => journal.lines.filter((one) => one.kind === kind).length;
  const [torn, late] = [count("torn"), count("void")];
  return [
    ...(journal.notes ?? []).map((note) => cutLine(note, 400)),
    ...(torn === 0 ? [] : [`${countText(torn, "torn line")}, not counted`]),
    ...(late === 0 ? [] : [`${countText(late, "late record")}, not counted`]),
    ...files
      .filter(({ verdict }) => verdict !== "current" && verdict !== "differs")
      .map(({ file, verdict }) => cutLine(`${file} is ${verdict}: the next call rewrites it`, 200)),
  ];
}
