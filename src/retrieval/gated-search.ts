import type { WorkflowListing } from "../engine/ports/phased.ts";
import type { StandardDocument, Standards, StandardsSearch } from "../engine/ports/search.ts";
import { defined } from "../kit/defined.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";

/** The parts that a search for callers needs. */
export type SearchDeps = {
  /** Opened at the first search. */
  readonly standards: () => Promise<Standards>;
  readonly isThere: () => Promise<boolean>;
  /** Loads the stream of a session; undefined if there is none. */
  readonly session: (id: string) => Promise<StreamSnapshot | undefined>;
  /** Lists the workflows with all their names. */
  readonly workflows?: () => Promise<readonly WorkflowListing[]>;
};

/** Creates a search that shows a caller only what its session may see. */
export function createSearch({ standards, isThere, session, workflows = async () => [] }: SearchDeps): StandardsSearch {
  let opened: Promise<Standards> | undefined;
  return {
    isThere,
    async search({ query, terms, filter_phase, filter_tags, n_results, budget, session_id }) {
      const stream = session_id === undefined ? undefined : await session(session_id);
      if (session_id !== undefined && (stream === undefined || stream.session === null))
        return { noSession: session_id };
      const named = await workflows();
      opened ??= standards();
      return (await opened).search(query, {
        mayShow: (document) => mayShow(document, stream, named),
        ...defined({ terms, phase: filter_phase, tags: filter_tags, limit: n_results, budget }),
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

/** True for a document of no phase, or of a phase that the session may read. */
function mayShow(
  { workflow, phases }: StandardDocument,
  stream: StreamSnapshot | undefined,
  workflows: readonly WorkflowListing[],
): boolean {
  if (phases.length === 0) return true;
  const session = stream?.session ?? null;
  if (stream === undefined || session === null || stream.archivedAt !== null) return false;
  if (workflow !== undefined && !isSame(workflow, session.workflow, workflows)) return false;
  const steps = [...stream.runs.values()].flatMap((run) => [...run.steps]);
  return steps.some(
    ([name, { status }]) => phases.includes(Number(name)) && (status === "completed" || status === "started"),
  );
}

/** True for two names of one workflow, since documents and sessions may use its folder's or its config's name. */
function isSame(one: string, other: string, workflows: readonly WorkflowListing[]): boolean {
  if (one === other) return true;
  return workflows.some(({ type, aliases = [] }) => [one, other].every((name) => [type, ...aliases].includes(name)));
}
