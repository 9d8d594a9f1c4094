/** One call: the files whose functions were entered, in order, the file system calls under the definitions folder, and the milliseconds from the answer before it to its own. */
export type Traced = { readonly entered: readonly string[]; readonly reads: readonly string[]; readonly since: number };

/** The counts of one call. */
export type Counted = {
  readonly files: number;
  readonly changes: number;
  readonly functions: number;
  readonly definition_functions: number;
  readonly definition_reads: number;
};

/** The kinds of call that are measured. */
export type TracedTool = "complete_action" | "complete_phase" | "search_standards";

export function traceAll(): Promise<Record<TracedTool, { readonly warm: Traced; readonly rested: Traced }>>;
export function count(traced: Traced, left?: readonly string[]): Counted;
