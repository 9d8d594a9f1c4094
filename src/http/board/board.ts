import type { StaleProof } from "../../engine/ports.ts";
import { countsOf } from "../../overview/summary.ts";
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
  RunRow,
  SearchData,
} from "./board-data.ts";
import { cutValue, line } from "./cut.ts";
import { type BoardDesk, desksOf, engineOf, type Looked, lookAt } from "./desks.ts";
import { inboxItems } from "./inbox.ts";
import { type Live, live } from "./live.ts";
import type { BoardProject } from "./ports.ts";
import { type KnownWorkflow, processReader } from "./process.ts";
import { rowOf } from "./rows.ts";
import { runData } from "./run.ts";
import { type Walks, type Window, walks } from "./walks.ts";

/** Everything that the dashboard is told of one project. Where something is named that is not there, the answer is undefined. */
export type Board = {
  readonly live: Live;
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
};

/** Opens the board of a project. Nothing is read before somebody asks. */
export function openBoard(project: BoardProject, report: (fault: unknown) => void): Board {
  const clock = (): Date => new Date();
  const walked: Walks = walks();
  const audited: Audits = audits(project, ({ key }) => hub.touch(key));
  const readProcess = processReader();
  const staleOf = staleLater(project);
  let keys: readonly string[] = [];
  const desks = async (): Promise<ReadonlyMap<string, BoardDesk>> => {
    project.begin();
    const all = await desksOf(project);
    keys = [...all.keys()];
    return all;
  };
  const hub: Live = live(
    {
      desks,
      row: async (desk) => rowOf(await lookAt(project, desk), clock()),
      whole: () => audited.whole(keys),
      changed: audited.touch,
      report,
    },
    clock,
  );
  const find = async (key: string): Promise<BoardDesk | undefined> => (await desks()).get(key);
  /** Every run that has begun, with where it stands. */
  const lookAll = async (): Promise<readonly (readonly [BoardDesk, Looked, RunRow])[]> => {
    const all = [...(await desks()).values()];
    const looked = await Promise.all(all.map(async (desk) => [desk, await lookAt(project, desk)] as const));
    return looked.flatMap(([desk, so]) => {
      const row = rowOf(so, clock());
      return row === undefined ? [] : [[desk, so, row] as const];
    });
  };
  return {
    live: hub,
    desks,
    find,
    async runs() {
      const rows = (await lookAll()).map(([desk, , row]) => {
        audited.of(desk, row.head);
        return row;
      });
      return {
        runs: rows.sort((a, b) => ((a.changed ?? "") < (b.changed ?? "") ? 1 : -1)),
        counts: countsOf(rows),
        whole: audited.whole(keys),
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
      const stale = await staleOf(desk);
      return runData({ looked, engine, walked: attempts(), stale, chain, problems, now: clock() });
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
      const waiting = (await lookAll()).filter(([, , { stands }]) => stands === "waits");
      const items = waiting.map(async ([desk, looked]) => {
        const { open } = await walked.walk(desk);
        return inboxItems(looked, (step) => open(step)?.handIns.length ?? 1, clock());
      });
      const all = (await Promise.all(items)).flat();
      return { items: all.sort((a, b) => (a.since < b.since ? -1 : 1)), at: clock().toISOString() };
    },
    async audit(again) {
      const all = [...(await desks()).values()];
      if (again) await audited.again(all);
      const rows = await Promise.all(
        all.map(async (desk) => {
          const looked = await lookAt(project, desk);
          const row = rowOf(looked, clock());
          const { problems, ...found } = audited.of(desk, looked.head.slice(0, 16));
          return {
            ...{ key: desk.key, ...found, problems },
            title: row?.title ?? line(desk.id.run ?? desk.id.name),
            workflow: row?.workflow ?? line(desk.id.name),
            changed: row?.changed ?? null,
          };
        }),
      );
      return {
        at: clock().toISOString(),
        histories: rows.map(({ problems: _, ...row }) => row),
        problems: rows.flatMap(({ problems }) => problems).slice(0, 200),
      };
    },
    async process(withFindings) {
      const all = await lookAll();
      const found = withFindings ? { findings: await project.findings() } : {};
      const data = await readProcess(
        all.map(([desk]) => desk),
        await knownWorkflows(
          project,
          all.map(([, looked]) => looked),
        ),
      );
      return { ...data, ...found };
    },
    async search(query) {
      const answer = await project.standards.search({ query, n_results: 8, budget: 4000 });
      if ("noSession" in answer) return { results: [] };
      return {
        results: answer.results.map(({ content, file, section, score, tokens }) => ({
          ...{ file, section: line(section, 300), score, tokens },
          content: String(cutValue(content, 8000)),
        })),
      };
    },
  };
}

/** The workflows as they are defined; of phases that nobody has come to only how many there are. */
async function knownWorkflows(
  project: BoardProject,
  looked: readonly Looked[],
): Promise<ReadonlyMap<string, KnownWorkflow>> {
  const known = new Map<string, KnownWorkflow>();
  for (const { name } of (await project.bots()).bots) {
    const { workflows } = await (await project.engine(name)).map();
    for (const { workflow, steps } of workflows)
      known.set(`${name}.${workflow}`, { kind: "bot", steps: steps.map(({ step }) => step) });
  }
  for (const { type } of await project.sessions.workflows()) known.set(type, { kind: "session", steps: [] });
  for (const { desk } of looked) {
    const { workflow, first, total } = desk.session ?? { workflow: "", first: 0, total: 0 };
    if (total > (known.get(workflow)?.steps.length ?? 0))
      known.set(workflow, {
        kind: "session",
        steps: Array.from({ length: Math.min(total, 200) }, (_, at) => String(first + at)),
      });
  }
  return known;
}

/** What of a run is no longer proved: as it was found last, where finding it out anew takes long. */
function staleLater(project: BoardProject): (desk: BoardDesk) => Promise<readonly StaleProof[]> {
  const known = new Map<string, readonly StaleProof[]>();
  return async (desk) => {
    const engine = await engineOf(project, desk);
    if (engine === undefined) return [];
    const looking = engine.stale().then((stale) => {
      known.set(desk.key, stale);
      return stale;
    });
    const late = new Promise<readonly StaleProof[]>((resolve) =>
      setTimeout(() => resolve(known.get(desk.key) ?? []), patience).unref(),
    );
    return Promise.race([looking.catch(() => []), late]);
  };
}

/** In milliseconds: files that are hashed for longer are waited for no longer. */
const patience = 400;
