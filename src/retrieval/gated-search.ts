import type { WorkflowListing } from "../engine/ports/phased.ts";
import type {
  SearchRequest,
  SearchResult,
  StandardDocument,
  Standards,
  StandardsSearch,
  SteppedText,
} from "../engine/ports/search.ts";
import { defined } from "../kit/defined.ts";
import { estimateTokens } from "../kit/estimate-tokens.ts";
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
  async function search({ query, terms, filter_phase, filter_tags, n_results, budget, session_id }: SearchRequest) {
    const stream = session_id === undefined ? undefined : await session(session_id);
    if (session_id !== undefined && (stream === undefined || stream.session === null)) return { noSession: session_id };
    const named = await workflows();
    opened ??= standards();
    return (await opened).search(query, {
      mayShow: (document) => mayShow(document, stream, named),
      ...defined({ terms, phase: filter_phase, tags: filter_tags, limit: n_results, budget }),
    });
  }
  return {
    isThere,
    search,
    async fitting(step) {
      if (!(await isThere())) return [];
      const found = await search(requestFor(step));
      return "noSession" in found ? [] : namesOf(found.results.filter(fits));
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

/** Asks with the words of a step's title, and with the beginning of its text. */
function requestFor({ title, text, session_id }: SteppedText): SearchRequest {
  return { query: text.slice(0, 400), terms: [title.slice(0, 200)], n_results: mostNamed, ...defined({ session_id }) };
}

const mostNamed = 2;
const mostTokens = 40;

/** A passage fits if a heading above it has a word of the step, and its text or headings another. */
function fits({ matched }: SearchResult): boolean {
  return matched.headings.length > 0 && matched.terms.length > 1;
}

/** Names documents by title and file, each once, as far as there is room. */
function namesOf(results: readonly SearchResult[]): readonly string[] {
  const names: string[] = [];
  for (const { file, section } of results) {
    const title = section.split(" > ")[0] ?? "";
    const name = title === "" ? file : `${title.slice(0, 60)} (${file})`;
    const isNew = !names.some((one) => one.endsWith(`(${file})`) || one === file);
    if (isNew && estimateTokens([...names, name].join("\n")) <= mostTokens) names.push(name);
  }
  return names;
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
