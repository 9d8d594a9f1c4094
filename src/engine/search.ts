import type { Refusal } from "../workflow/refusal.ts";
import { sessionNotFound } from "../workflow/refusals.ts";
import type { SessionView } from "../workflow/session-view.ts";
import type { WorkflowListed } from "./phased-ports.ts";
import type { SearchAnswer, StandardDocument, Standards } from "./search-ports.ts";

/** What a caller asks of the standards. */
export type SearchRequest = {
  readonly query: string;
  readonly filter_phase?: number;
  readonly filter_tags?: readonly string[];
  readonly n_results?: number;
  /** How many tokens the results may cost together. */
  readonly budget?: number;
  /** The session on whose behalf it is asked: what belongs to its open and completed phases can then be found. */
  readonly session_id?: string;
};

/** The standards of a workplace, as every door asks them. */
export type StandardsSearch = {
  search(request: SearchRequest): Promise<SearchAnswer | { readonly refusal: Refusal }>;
  /** Whether there is anything to search. */
  isThere(): boolean;
  /** Waits until the index is built, for callers that would rather wait than be answered by a scan. */
  ready(): Promise<void>;
  /** Waits for what is being built and saved; nothing is searched afterwards. */
  close(): Promise<void>;
};

export type SearchParts = {
  /** Opened at the first search. */
  readonly standards: () => Promise<Standards>;
  readonly isThere: () => boolean;
  readonly session: (id: string) => Promise<SessionView | null>;
  /** The workflows there are, with all their names. */
  readonly workflows?: () => readonly WorkflowListed[];
};

/** Searches the standards for a caller who sees what its session may see, and nothing of any other phase. */
export function createSearch({ standards, isThere, session, workflows = () => [] }: SearchParts): StandardsSearch {
  let opened: Promise<Standards> | undefined;
  return {
    isThere,
    async search({ query, filter_phase, filter_tags, n_results, budget, session_id }) {
      const view = session_id === undefined ? undefined : await session(session_id);
      if (view === null) return { refusal: sessionNotFound(session_id ?? "") };
      opened ??= standards();
      return (await opened).search(query, {
        mayShow: (document) => mayShow(document, view, workflows),
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
  view: SessionView | undefined,
  workflows: () => readonly WorkflowListed[],
): boolean {
  if (phases.length === 0) return true;
  if (view === undefined || view.archived === true) return false;
  if (workflow !== undefined && !isSame(workflow, view.workflow_type, workflows)) return false;
  return phases.some((phase) => phase === view.current_phase || view.completed_phases.includes(phase));
}

/** A document may name a workflow by its folder, and a session by its config, or the other way round. */
function isSame(one: string, other: string, workflows: () => readonly WorkflowListed[]): boolean {
  if (one === other) return true;
  return workflows().some(({ type, aliases = [] }) => [one, other].every((name) => [type, ...aliases].includes(name)));
}
