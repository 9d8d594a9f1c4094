import type { WorkflowListed } from "../engine/phased-ports.ts";
import type { Desk } from "../workflow/desk.ts";
import type { StandardDocument, Standards, StandardsSearch } from "./ports.ts";

/** What a search on behalf of callers needs. */
export type SearchParts = {
  /** Opened at the first search. */
  readonly standards: () => Promise<Standards>;
  readonly isThere: () => Promise<boolean>;
  /** The desk of a session; undefined where there is none. */
  readonly session: (id: string) => Promise<Desk | undefined>;
  /** The workflows there are, with all their names. */
  readonly workflows?: () => Promise<readonly WorkflowListed[]>;
};

/** Searches the standards for a caller who sees what its session may see, and nothing of any other phase. */
export function createSearch({
  standards,
  isThere,
  session,
  workflows = async () => [],
}: SearchParts): StandardsSearch {
  let opened: Promise<Standards> | undefined;
  return {
    isThere,
    async search({ query, filter_phase, filter_tags, n_results, budget, session_id }) {
      const desk = session_id === undefined ? undefined : await session(session_id);
      if (session_id !== undefined && (desk === undefined || desk.session === null)) return { noSession: session_id };
      const named = await workflows();
      opened ??= standards();
      return (await opened).search(query, {
        mayShow: (document) => mayShow(document, desk, named),
        ...(filter_phase === undefined ? {} : { phase: filter_phase }),
        ...(filter_tags === undefined ? {} : { tags: filter_tags }),
        ...(n_results === undefined ? {} : { limit: n_results }),
        ...(budget === undefined ? {} : { budget }),
      });
    },
    async ready() {
      opened ??= standards();
      await (await opened).ready();
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

/** What belongs to no phase is everybody's; what belongs to one is shown to a session that may read that phase. */
function mayShow(
  { workflow, phases }: StandardDocument,
  desk: Desk | undefined,
  workflows: readonly WorkflowListed[],
): boolean {
  if (phases.length === 0) return true;
  const session = desk?.session ?? null;
  if (desk === undefined || session === null || desk.archivedAt !== null) return false;
  if (workflow !== undefined && !isSame(workflow, session.workflow, workflows)) return false;
  const steps = [...desk.runs.values()].flatMap((run) => [...run.steps]);
  return steps.some(
    ([name, { status }]) => phases.includes(Number(name)) && (status === "completed" || status === "started"),
  );
}

/** A document may name a workflow by its folder, and a session by its config, or the other way round. */
function isSame(one: string, other: string, workflows: readonly WorkflowListed[]): boolean {
  if (one === other) return true;
  return workflows.some(({ type, aliases = [] }) => [one, other].every((name) => [type, ...aliases].includes(name)));
}
