import { countsOf } from "../../overview/summary.ts";
import { walker } from "../../overview/walk.ts";
import type { StepRef } from "../../workflow/events.ts";
import { shownAttempt } from "./attempts.ts";
import { type Audits, audits } from "./audits.ts";
import type {
  Attempt,
  AuditData,
  InboxData,
  ProcessData,
  RecordWindow,
  RunData,
  RunList,
  SearchData,
} from "./board-data.ts";
import { cutValue, line } from "./cut.ts";
import { type BoardDesk, desksOf, engineOf, lookAt } from "./desks.ts";
import { inboxItems } from "./inbox.ts";
import { keptItems } from "./kept-items.ts";
import { type KeptRow, type KeptRows, keptRows } from "./kept-rows.ts";
import { plainPassage } from "./plain-passage.ts";
import type { BoardProject } from "./ports.ts";
import { type KnownWorkflow, processReader } from "./process.ts";
import { rowOf } from "./rows.ts";
import { runData } from "./run.ts";
import { staleLater } from "./stale-later.ts";
import { type Walks, type Window, walks } from "./walks.ts";

/** Everything that the dashboard is told of one project. Where something is named that is not there, the answer is undefined. */
export type Board = {
  readonly live: Pick<KeptRows, "listen">;
  /** Reads what there is, before anybody asks for it. */
  warm(): void;
  desks(): Promise<ReadonlyMap<string, BoardDesk>>;
  find(key: string): Promise<BoardDesk | undefined>;
  runs(): Promise<RunList>;
  run(key: string): Promise<RunData | undefined>;
  attempt(key: string, ref: StepRef): Promise<Attempt | undefined>;
  records(key: string, window: Window): Promise<RecordWindow | undefined>;
  inbox(): Promise<InboxData>;
  audit(again: boolean): Promise<AuditData>;
  process(withFindings: boolean): Promise<ProcessData>;
  search(query: string): Promise<SearchData>;
  /** Ends every stream, and lets go of what is kept. */
  close(): void;
};

/** Opens the board of a project. Nothing is read before somebody asks. */
export function openBoard(project: BoardProject, report: (fault: unknown) => void): Board {
  const clock = (): Date => new Date();
  const walked: Walks = walks();
  const audited: Audits = audits(project, ({ key }) => kept.touch(key));
  const readProcess = processReader();
  const stale = staleLater(async (desk) => (await engineOf(project, desk))?.stale() ?? []);
  let known: ReadonlyMap<string, BoardDesk> = new Map();
  const desks = async (): Promise<ReadonlyMap<string, BoardDesk>> => {
    project.begin();
    known = await desksOf(project);
    audited.keep(known);
    return known;
  };
  const kept: KeptRows = keptRows(
    {
      desks,
      row: async (desk) => rowOf(await lookAt(project, desk), clock()),
      definitions: async () => JSON.stringify([...(await knownWorkflows(project))]),
      whole: () => audited.whole([...known.keys()]),
      changed: audited.touch,
      report,
    },
    clock,
  );
  const itemsOf = keptItems(async (desk) => {
    const follower = walker(undefined, false); // of many runs: what was read is not kept
    for await (const { events } of desk.area.log.records(desk.id)) for (const event of events) follower.feed(event);
    const looked = await lookAt(project, desk);
    return inboxItems(looked, (step) => follower.open(step)?.handIns.length ?? 1, clock());
  });
  const find = async (key: string): Promise<BoardDesk | undefined> => (await desks()).get(key);
  return {
    live: kept,
    warm: () => void kept.all().catch(report),
    desks,
    find,
    async runs() {
      const rows = (await kept.all()).map(({ row }) => row);
      const heads = new Map(rows.map(({ key, head }) => [key, head]));
      // A history that tells of no run may be one that was cut or lost.
      for (const desk of known.values()) audited.of(desk, heads.get(desk.key));
      return {
        runs: rows.sort((a, b) => ((a.changed ?? "") < (b.changed ?? "") ? 1 : -1)),
        counts: countsOf(rows),
        whole: audited.whole([...known.keys()]),
        records: rows.reduce((sum, { records }) => sum + records, 0),
        at: clock().toISOString(),
      };
    },
    async run(key) {
      const desk = await find(key);
      if (desk === undefined) return undefined;
      const [looked, { attempts }, engine] = await Promise.all([
        lookAt(project, desk),
        walked.walk(desk),
        engineOf(project, desk),
      ]);
      const { chain, problems } = audited.of(desk, looked.head);
      const found = { stale: await stale.of(desk), walked: attempts() };
      return runData({ looked, engine, ...found, chain, problems, now: clock() });
    },
    async attempt(key, ref) {
      const desk = await find(key);
      if (desk === undefined) return undefined;
      const [{ plan }, { attempts }] = await Promise.all([lookAt(project, desk), walked.walk(desk)]);
      const parts = ["workflow", "step", "pass", "attempt"] as const;
      const found = attempts().find((one) => parts.every((part) => one[part] === ref[part]));
      const steps = plan?.workflows.find(({ name }) => name === ref.workflow)?.steps;
      const title = steps?.find(({ name }) => name === ref.step)?.title;
      return found && shownAttempt(desk.id.kind, found, title);
    },
    async records(key, window) {
      const desk = await find(key);
      return desk && walked.records(desk, window);
    },
    async inbox() {
      const waiting = (await kept.all()).filter(({ row: { stands } }) => stands === "waits");
      const items = [...(await itemsOf(waiting))];
      return { items: items.sort((a, b) => (a.since < b.since ? -1 : 1)), at: clock().toISOString() };
    },
    async audit(again) {
      const rowOfKey = new Map((await kept.all()).map(({ desk, row }) => [desk.key, row]));
      const all = [...known.values()];
      if (again) await audited.again(all);
      const rows = all.map((desk) => {
        const row = rowOfKey.get(desk.key);
        return {
          ...{ key: desk.key, ...audited.of(desk, row?.head) },
          title: row?.title ?? line(desk.id.run ?? desk.id.name),
          workflow: row?.workflow ?? line(desk.id.name),
          changed: row?.changed ?? null,
        };
      });
      return {
        at: clock().toISOString(),
        histories: rows.map(({ problems: _, ...row }) => row),
        problems: rows.flatMap(({ problems }) => problems).slice(0, 200),
      };
    },
    async process(withFindings) {
      const rows = await kept.all();
      const found = withFindings ? { findings: await project.findings() } : {};
      const data = await readProcess(rows, withPhases(await knownWorkflows(project), rows));
      return { ...data, ...found };
    },
    async search(query) {
      const answer = await project.standards.search({ query, n_results: 8, budget: 4000 });
      if ("noSession" in answer) return { results: [] };
      return {
        results: answer.results.map(({ content, file, section, score, tokens }) => ({
          ...{ file, section: line(section, 300), score, tokens },
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

/** The workflows as they are defined; of phases nothing is told here. */
async function knownWorkflows(project: BoardProject): Promise<Map<string, KnownWorkflow>> {
  const known = new Map<string, KnownWorkflow>();
  for (const { name } of (await project.bots()).bots) {
    const { workflows } = await (await project.engine(name)).map();
    for (const { workflow, steps } of workflows)
      known.set(`${name}.${workflow}`, { kind: "bot", steps: steps.map(({ step }) => step) });
  }
  for (const { type } of await project.sessions.workflows()) known.set(type, { kind: "session", steps: [] });
  return known;
}

/** The same with as many phases as sessions have, by their numbers. */
function withPhases(known: Map<string, KnownWorkflow>, rows: readonly KeptRow[]): ReadonlyMap<string, KnownWorkflow> {
  for (const { row } of rows) {
    const { kind, workflow, first = 1, steps: total } = row;
    if (kind !== "session" || total <= (known.get(workflow)?.steps.length ?? 0)) continue;
    known.set(workflow, { kind, steps: Array.from({ length: total }, (_, at) => String(first + at)) });
  }
  return known;
}
