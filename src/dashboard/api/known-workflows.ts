import { loadRunState } from "./board-runs.ts";
import type { CachedRow } from "./kept-rows.ts";
import type { BoardProject } from "./ports.ts";
import type { KnownWorkflow } from "./process.ts";

/** Lists the defined workflows without their phases. */
export async function knownWorkflows(project: BoardProject): Promise<Map<string, KnownWorkflow>> {
  const known = new Map<string, KnownWorkflow>();
  for (const { name } of (await project.bots()).bots) {
    const { workflows } = await (await project.engine(name)).overview();
    for (const { workflow, steps } of workflows)
      known.set(`${name}.${workflow}`, { kind: "bot", steps: steps.map(({ step }) => step) });
  }
  for (const { type } of await project.sessions.workflows()) known.set(type, { kind: "session", steps: [] });
  return known;
}

/** Adds as many numbered phases as the sessions have. */
export function withPhases(
  known: Map<string, KnownWorkflow>,
  rows: readonly CachedRow[],
): ReadonlyMap<string, KnownWorkflow> {
  for (const { row } of rows) {
    const { kind, workflow, first, steps: total } = row;
    if (first === undefined || total <= (known.get(workflow)?.steps.length ?? 0)) continue;
    known.set(workflow, { kind, steps: Array.from({ length: total }, (_, at) => String(first + at)) });
  }
  return known;
}

/** Adds the names of phases, from the latest finished session of each workflow: before that, they may not be shown. */
export async function withTitles(
  project: BoardProject,
  known: ReadonlyMap<string, KnownWorkflow>,
  rows: readonly CachedRow[],
): Promise<ReadonlyMap<string, KnownWorkflow>> {
  const latest = new Map<string, CachedRow>();
  for (const one of rows) {
    const { workflow, stands, first, changed } = one.row;
    const other = latest.get(workflow)?.row.changed ?? "";
    if (stands === "finished" && first !== undefined && (changed ?? "") > other) latest.set(workflow, one);
  }
  const found = await Promise.all(
    [...latest].map(async ([workflow, { stream }]) => {
      const { workflows } = await loadRunState(project, stream);
      const named = workflows.flatMap(({ steps }) =>
        steps.flatMap(({ step, title }) => (title ? [[step, title] as const] : [])),
      );
      return [workflow, new Map(named)] as const;
    }),
  );
  const titled = new Map(known);
  for (const [workflow, titles] of found) {
    const one = titled.get(workflow);
    if (one !== undefined) titled.set(workflow, { ...one, titles });
  }
  return titled;
}
