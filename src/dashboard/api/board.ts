import { defined } from "../../kit/defined.ts";
import { sha256 } from "../../kit/sha256.ts";
import { systemClock } from "../../kit/system-clock.ts";
import type { StepRef } from "../../workflow/events.ts";
import { cutLine, cutValue } from "../overview/cut-values.ts";
import { runRow } from "../overview/run-row.ts";
import { sessionsIn } from "../overview/short-name.ts";
import { followWalk } from "../overview/walk.ts";
import { shownAttempt } from "./attempts.ts";
import { type AuditCache, auditCache } from "./audit-cache.ts";
import type {
  Attempt,
  AuditData,
  InboxData,
  InboxItem,
  RecordedFile,
  RecordWindow,
  RunData,
  RunFilters,
  RunList,
  SearchData,
} from "./board-data.ts";
import { type BoardRun, findRun, followRuns, listRuns, loadRunState, newestRuns, openEngine } from "./board-runs.ts";
import { type HistoryCache, historyCache, type RecordRange } from "./history-cache.ts";
import { inboxCache } from "./inbox-cache.ts";
import { inboxItems } from "./inbox-items.ts";
import type { CachedRow } from "./kept-rows.ts";
import { knownWorkflows, withPhases, withTitles } from "./known-workflows.ts";
import { listPage } from "./list-page.ts";
import type { ListedRuns } from "./listed-runs.ts";
import { plainPassage } from "./plain-passage.ts";
import type { BoardProject } from "./ports.ts";
import { processReader } from "./process.ts";
import type { ProcessData } from "./process-data.ts";
import { type RowCache, rowCache } from "./row-cache.ts";
import { loadRunPage } from "./run-page.ts";
import { staleCache } from "./stale-cache.ts";

/** The dashboard data of one project; undefined for what does not exist. */
export type Board = {
  readonly live: Pick<RowCache, "listen">;
  /** Loads the data before the first request. */
  warm(): void;
  streams(): Promise<ReadonlyMap<string, BoardRun>>;
  find(key: string): Promise<BoardRun | undefined>;
  /** A page of the runs that fit. */
  runs(filters: RunFilters): Promise<RunList>;
  run(key: string): Promise<RunData | undefined>;
  attempt(key: string, ref: StepRef): Promise<Attempt | undefined>;
  records(key: string, window: RecordRange): Promise<RecordWindow | undefined>;
  /** Reads a recorded file, if it still has this hash. */
  file(key: string, path: string, hash: string): Promise<RecordedFile | undefined>;
  inbox(): Promise<InboxData>;
  /** A page of the histories, after a cursor. */
  audit(again: boolean, after?: string): Promise<AuditData>;
  process(withFindings: boolean): Promise<ProcessData>;
  search(query: string): Promise<SearchData>;
  /** Ends all streams and releases the caches. */
  close(): void;
};

/** The most lists with different filters that are kept until a run changes. */
const mostLists = 50;
/** A longer recorded file is not sent to the page. */
const mostCharacters = 1_000_000;

/** Opens the board of a project; nothing is read before the first request. */
export function openBoard(project: BoardProject, report: (fault: unknown) => void): Board {
  const clock = systemClock;
  const walked: HistoryCache = historyCache();
  const audited: AuditCache = auditCache(project, ({ key }) => kept.touch(key));
  const readProcess = processReader();
  const stale = staleCache(async (stream) => (await openEngine(project, stream))?.staleProofs() ?? []);
  let known: ReadonlyMap<string, BoardRun> = new Map();
  const streams = async (): Promise<ReadonlyMap<string, BoardRun>> => {
    project.beginCall();
    known = await listRuns(project);
    audited.retain(known);
    return known;
  };
  const kept: RowCache = rowCache(
    {
      streams,
      newest: (most) => newestRuns(project, most),
      follow: (changed) => followRuns(project, changed),
      async row(stream) {
        const row = runRow(await loadRunState(project, stream), clock());
        if (row !== undefined) audited.note(stream, row.head);
        return row;
      },
      definitions: async () => JSON.stringify([...(await knownWorkflows(project))]),
      whole: () => audited.whole(known.size),
      changed: audited.touch,
      report,
    },
    clock,
  );
  const itemsOf = inboxCache(async (stream) => {
    const follower = followWalk(undefined, false); // for many runs, so nothing is cached
    for await (const { events } of stream.area.log.records(stream.id)) for (const event of events) follower.feed(event);
    const looked = await loadRunState(project, stream);
    return inboxItems(looked, (step) => follower.open(step)?.handIns.length ?? 1, clock());
  });
  const find = async (key: string): Promise<BoardRun | undefined> => {
    project.beginCall();
    return findRun(project, key);
  };
  /** The statistics of a list of runs, counted once as long as neither they nor the definitions change. */
  let counted: { rows: readonly CachedRow[]; definitions: string; data: Promise<ProcessData> } | undefined;
  const statistics = (rows: readonly CachedRow[], definitions: string): Promise<ProcessData> => {
    if (counted?.rows === rows && counted.definitions === definitions) return counted.data;
    const read = async (): Promise<ProcessData> =>
      readProcess(rows, await withTitles(project, withPhases(await knownWorkflows(project), rows), rows));
    const mine = { rows, definitions, data: read() };
    counted = mine;
    mine.data.catch(() => {
      if (counted === mine) counted = undefined;
    });
    return mine.data;
  };
  const pagesOf = perList((_: ListedRuns) => new Map<string, ReturnType<typeof listPage>>());
  const sessionsOf = perList((rows: readonly CachedRow[]) => sessionsIn(rows.map(({ row }) => row)));
  const listedHistories = perList((rows: readonly CachedRow[]) => {
    const withRow = rows.map(({ stream }) => stream);
    return [...[...known.values()].filter(({ key }) => kept.row(key) === undefined), ...withRow];
  });
  /** All histories in their order: broken ones first, then those without a run, then by their latest change. */
  const auditOrder = (rows: readonly CachedRow[]): readonly BoardRun[] => {
    const broken = audited.broken();
    const all = listedHistories(rows);
    if (broken.size === 0) return all;
    return [...all.filter(({ key }) => broken.has(key)), ...all.filter(({ key }) => !broken.has(key))];
  };
  return {
    live: kept,
    warm: () => void kept.all().catch(report),
    streams,
    find,
    async runs(filters) {
      const { listed, count, isWhole } = await kept.newest(firstRows);
      const now = clock();
      const pages = pagesOf(listed);
      const asked = JSON.stringify(filters);
      const list = pages.get(asked) ?? listPage(listed, filters, now.getTime());
      if (pages.size < mostLists) pages.set(asked, list);
      // A history without a run may have been cut or lost, so it is audited too; a file may change without its head.
      for (const { key, head } of list.runs) {
        const stream = known.get(key);
        if (stream !== undefined) audited.get(stream, head);
      }
      if (isWhole && known.size > count)
        for (const stream of known.values()) if (!audited.has(stream.key)) audited.get(stream);
      const runners = (await project.listRunners?.()) ?? [];
      const { byNeed: _, ...ofAll } = listed;
      return {
        ...(runners.length === 0 ? {} : { runners }),
        ...(isWhole ? {} : { isPartial: true }),
        ...list,
        ...ofAll,
        whole: isWhole ? audited.whole(known.size) : null,
        at: now.toISOString(),
      };
    },
    async run(key) {
      const stream = await find(key);
      if (stream === undefined) return undefined;
      const [looked, { attempts }, engine] = await Promise.all([
        loadRunState(project, stream),
        walked.walk(stream),
        openEngine(project, stream),
      ]);
      const { chain, problems } = audited.get(stream, looked.head);
      const found = { stale: await stale.get(stream), walked: attempts() };
      const hasItems = looked.workflows.some(({ steps }) => steps.some(({ items }) => items !== undefined));
      const stripOf = itemStrips(hasItems ? await kept.all() : []);
      const { isWhole } = await kept.newest(0);
      const sessions = isWhole ? sessionsOf(await kept.all()) : undefined;
      return loadRunPage({ looked, engine, ...found, chain, problems, now: clock(), sessions, stripOf });
    },
    async attempt(key, ref) {
      const stream = await find(key);
      if (stream === undefined) return undefined;
      const [{ plan }, { attempts }] = await Promise.all([loadRunState(project, stream), walked.walk(stream)]);
      const parts = ["workflow", "step", "pass", "attempt"] as const;
      const found = attempts().find((one) => parts.every((part) => one[part] === ref[part]));
      const steps = plan?.workflows.find(({ name }) => name === ref.workflow)?.steps;
      const title = steps?.find(({ name }) => name === ref.step)?.title;
      return found && shownAttempt(stream.id.kind, found, title);
    },
    async records(key, window) {
      const stream = await find(key);
      return stream && walked.records(stream, window);
    },
    async file(key, path, hash) {
      const stream = await find(key);
      const saved = stream && (await (await openEngine(project, stream))?.readSaved(path));
      if (saved === undefined || "problem" in saved) return saved;
      if (sha256(saved.text) !== hash) return { path, problem: "a later step has recorded another version" };
      return saved.text.length > mostCharacters ? { path, problem: "it is too long to be shown here" } : saved;
    },
    async inbox() {
      const waiting = (await kept.all()).filter(({ row: { stands } }) => stands === "waits");
      const items = [...(await itemsOf(waiting))];
      return { items: items.sort(blockedFirst), at: clock().toISOString() };
    },
    async audit(again, after) {
      const rows = await kept.all();
      if (again) await audited.again([...known.values()]);
      const { page, next } = pageOf(auditOrder(rows), after, ({ key }) => key);
      const histories = page.map((stream) => {
        const { row } = kept.row(stream.key) ?? {};
        return {
          ...{ key: stream.key, ...audited.get(stream, row?.head) },
          title: row?.title ?? cutLine(stream.id.run ?? stream.id.name),
          workflow: row?.workflow ?? cutLine(stream.id.name),
          changed: row?.changed ?? null,
        };
      });
      return {
        at: clock().toISOString(),
        histories: histories.map(({ problems: _, ...row }) => row),
        problems: histories.flatMap(({ problems }) => problems).slice(0, 200),
        ...defined({ next }),
      };
    },
    async process(withFindings) {
      const found = withFindings ? { findings: await project.findings() } : {};
      return {
        ...(await statistics(await kept.all(), JSON.stringify([...(await knownWorkflows(project))]))),
        ...found,
      };
    },
    async search(query) {
      const answer = await project.standards.search({ query, n_results: 8, budget: 4000 });
      if ("noSession" in answer) return { results: [] };
      return {
        results: answer.results.map(({ content, file, section, score, tokens }) => ({
          ...{ file, section: cutLine(section, 300), score, tokens },
          content: String(cutValue(plainPassage(content), 8000)),
        })),
      };
    },
    close() {
      kept.close();
      audited.close();
      stale.close();
    },
  };
}

/** Computes something of a list once, as long as the list is the same. */
function perList<List, T>(make: (list: List) => T): (list: List) => T {
  let last: { readonly list: List; readonly made: T } | undefined;
  return (list) => {
    if (last?.list !== list) last = { list, made: make(list) };
    return last.made;
  };
}

/** The entries of one page. */
const pageSize = 200;

/** The most recent sessions, and runs of bots, that the first list shows before the others are read. */
const firstRows = 20;

/** The page after a cursor, which names the last entry of the page before; if that is gone, the list begins again. */
function pageOf<T>(
  all: readonly T[],
  after: string | undefined,
  cursorOf: (one: T) => string,
): { readonly page: readonly T[]; readonly next?: string } {
  const from = after === undefined ? 0 : all.findIndex((one) => cursorOf(one) === after) + 1;
  const page = all.slice(from, from + pageSize);
  const last = page.at(-1);
  return { page, ...(last !== undefined && from + pageSize < all.length ? { next: cursorOf(last) } : {}) };
}

/** Finds the strip of an item's session among the rows that are known. */
function itemStrips(all: readonly CachedRow[]): (key: string) => string | undefined {
  const strips = new Map(all.map(({ row: { key, map } }) => [key, map.map(({ signs }) => signs).join("")]));
  return (key) => strips.get(key);
}

/** Sorts blocked steps first, then the longest waiting. */
function blockedFirst(one: InboxItem, other: InboxItem): number {
  const blocked = Number(other.blocked === true) - Number(one.blocked === true);
  return blocked || (one.since < other.since ? -1 : 1);
}
