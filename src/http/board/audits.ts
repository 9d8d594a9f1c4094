import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { type AuditedDesk, auditOne, type Missing, problemsOf } from "../../audit/audit.ts";
import type { AuditRow, ChainState } from "./board-data.ts";
import { line } from "./cut.ts";
import type { BoardDesk } from "./desks.ts";
import type { BoardProject } from "./ports.ts";

/** What reading a history again came to, in the background, and when. */
export type Audited = Pick<AuditRow, "approvals" | "notes"> & {
  readonly chain: ChainState;
  /** Everything that speaks against it. */
  readonly problems: readonly string[];
};

/** Reads histories again, one at a time, whenever they have changed; what was found is kept by the head that it was found for. */
export type Audits = {
  /** What is known of a history; where it has changed, or was read long ago, it is read again meanwhile. */
  of(desk: BoardDesk, head?: string): Audited;
  /** Reads a history again soon: something may have been changed in it. */
  touch(desk: BoardDesk): void;
  /** Reads these again, now. */
  again(desks: readonly BoardDesk[]): Promise<void>;
  /** Whether all of these are whole; null as long as one of them has never been read. */
  whole(keys: readonly string[]): boolean | null;
  /** Forgets every history but these: the others are gone. */
  keep(keys: Pick<ReadonlySet<string>, "has">): void;
  /** Reads nothing any more by itself. */
  close(): void;
};

/** What was found is looked at again after this long, in milliseconds: a file can be changed without its head. */
const believedFor = 60_000;

/** Reading a history takes at most this share of the time: one that takes long is read less often. */
const share = 10;

/** Begins with nothing read. `found` hears of every history whose state has become another. */
export function audits(project: Project, found: (desk: BoardDesk) => void): Audits {
  const known = new Map<string, Known>();
  const due = new Map<string, BoardDesk>();
  /** The histories that are due when they have had their rest. */
  const later = new Map<string, NodeJS.Timeout>();
  let isReading = false;
  let isClosed = false;

  async function read(desk: BoardDesk): Promise<void> {
    const from = Date.now();
    const before = known.get(desk.key);
    const audited = await audit(project, desk);
    const chain = audited.chain;
    known.set(desk.key, { audited, at: Date.now(), ms: Date.now() - from, head: "head" in chain ? chain.head : "" });
    if (before?.audited.chain.state !== chain.state || before.audited.problems.length !== audited.problems.length)
      found(desk);
  }

  async function readAll(): Promise<void> {
    if (isReading) return;
    isReading = true;
    for (let [next] = due.values(); next !== undefined; [next] = due.values()) {
      due.delete(next.key);
      const from = performance.now();
      // One that cannot be read just now is read at the next occasion.
      await read(next).catch(() => undefined);
      // Whoever asks for something meanwhile goes first.
      await wait(2 * (performance.now() - from));
    }
    isReading = false;
  }

  let reading: Promise<void> | undefined;
  async function readThese(desks: readonly BoardDesk[]): Promise<void> {
    for (const desk of desks) {
      await read(desk);
      await setImmediate();
    }
  }

  function soon(desk: BoardDesk): void {
    letGo(desk.key);
    if (isClosed) return;
    due.set(desk.key, desk);
    void readAll();
  }

  function letGo(key: string): void {
    clearTimeout(later.get(key));
    later.delete(key);
  }

  function touch(desk: BoardDesk): void {
    const before = known.get(desk.key);
    const rest = before === undefined ? 0 : before.at + before.ms * share - Date.now();
    if (rest <= 0) soon(desk);
    else if (!later.has(desk.key) && !isClosed) later.set(desk.key, setTimeout(() => soon(desk), rest).unref());
  }

  return {
    touch,
    of(desk, head) {
      const so = known.get(desk.key);
      const hasMoved = head !== undefined && so !== undefined && !so.head.startsWith(head);
      if (so === undefined || hasMoved || Date.now() - so.at > believedFor) touch(desk);
      return so?.audited ?? looking;
    },
    again(desks) {
      // Whoever asks meanwhile waits for the same.
      reading ??= readThese(desks).finally(() => {
        reading = undefined;
      });
      return reading;
    },
    keep(keys) {
      for (const key of [...known.keys(), ...due.keys(), ...later.keys()]) {
        if (keys.has(key)) continue;
        letGo(key);
        due.delete(key);
        known.delete(key);
      }
    },
    whole(keys) {
      const states = keys.map((key) => known.get(key)?.audited.chain.state);
      if (states.includes("broken")) return false;
      return states.includes(undefined) ? null : true;
    },
    close() {
      isClosed = true;
      for (const key of [...later.keys()]) letGo(key);
      due.clear();
      known.clear();
    },
  };
}

type Project = Pick<BoardProject, "approvers">;

type Known = { readonly audited: Audited; readonly at: number; readonly ms: number; readonly head: string };

const looking: Audited = {
  chain: { state: "looking" },
  problems: [],
  approvals: { proven: 0, doubtful: 0 },
  notes: [],
};

async function audit(project: Project, { id, area }: BoardDesk): Promise<Audited> {
  const audited = await auditOne(area, id, [], await project.approvers());
  return "problem" in audited ? gone(audited) : stateOf(audited);
}

/** What was on record here and is not on this branch is no loss where git keeps it on another. */
function gone({ problem, journal: { records, seq, head, elsewhere } }: Missing): Audited {
  const said = line(problem, 400);
  const { approvals } = looking;
  if (elsewhere === true)
    return {
      ...looking,
      chain: { state: "whole", records, head },
      notes: [`${said} from here: git keeps it on another branch`],
    };
  return { chain: { state: "broken", records, head, seq, reason: said }, problems: [said], approvals, notes: [] };
}

function stateOf(audited: AuditedDesk): Audited {
  const { journal, approvals } = audited;
  const { records, head } = journal;
  const problems = problemsOf(audited).map((one) => line(one, 600));
  const [first] = journal.breaks;
  const doubtful = approvals.filter(({ problem }) => problem !== undefined).length;
  const broken = {
    ...{ state: "broken" as const, records, head },
    seq: first?.seq ?? journal.seq,
    reason: first === undefined ? (problems[0] ?? "") : line(first.reason, 400),
    ...((journal.disputes ?? []).length === 0 ? {} : { accept: true }),
  };
  return {
    chain: problems.length === 0 ? { state: "whole", records, head } : broken,
    problems,
    approvals: { proven: approvals.length - doubtful, doubtful },
    notes: notesOf(audited),
  };
}

function notesOf({ journal, files }: AuditedDesk): readonly string[] {
  const count = (kind: string): number => journal.lines.filter((one) => one.kind === kind).length;
  const [torn, late] = [count("torn"), count("void")];
  return [
    ...(journal.notes ?? []).map((note) => line(note, 400)),
    ...(torn === 0 ? [] : [`${torn} torn line(s), never counted`]),
    ...(late === 0 ? [] : [`${late} late record(s), never counted`]),
    ...files
      .filter(({ verdict }) => verdict !== "current" && verdict !== "differs")
      .map(({ file, verdict }) => line(`${file} is ${verdict}: the next call shows it anew`, 200)),
  ];
}
