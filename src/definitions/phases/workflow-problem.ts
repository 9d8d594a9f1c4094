import type { FindingCode } from "../finding-codes.ts";

/** The code of a complaint about a phased workflow; errors in gate files have their own codes. */
export type WorkflowProblemCode = FindingCode | "closed-gate";

/** One error in a phased workflow; its message is for the author, never for the assistant. */
export type WorkflowProblem = {
  readonly code: WorkflowProblemCode;
  readonly path: string;
  readonly line: number;
  readonly message: string;
  readonly fix: string;
  /** The key of the JSON file that it is about. */
  readonly key?: string;
  /** The number of the phase that it is about. */
  readonly phase?: number;
  /** True if the workflow cannot start because of it. */
  readonly closes: boolean;
};

/** Builds a complaint, by default on line 1 and closing. */
export function workflowProblem(
  code: WorkflowProblemCode,
  path: string,
  message: string,
  fix: string,
  more: Partial<Pick<WorkflowProblem, "line" | "key" | "phase" | "closes">> = {},
): WorkflowProblem {
  return { code, path, line: 1, message, fix, closes: true, ...more };
}

/** Adds a phase to complaints or lines. */
export function withPhase<One extends object>(
  phase: number,
  all: readonly One[],
): (One & { readonly phase: number })[] {
  return all.map((one) => ({ ...one, phase }));
}
