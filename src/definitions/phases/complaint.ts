import type { FindingCode } from "../codes.ts";

/** Everything that can be wrong with a phased workflow; what closes a gate file has codes of its own. */
export type ComplaintCode = FindingCode | "closed-gate";

/** One thing that is wrong with a phased workflow. What it says is for the author, never for the assistant. */
export type Complaint = {
  readonly code: ComplaintCode;
  readonly path: string;
  readonly line: number;
  readonly message: string;
  readonly fix: string;
  /** The key of a JSON file that it is about. */
  readonly key?: string;
  /** The number of the phase that it is about. */
  readonly phase?: number;
  /** The workflow does not start because of it. */
  readonly closes: boolean;
};

/** Notes one thing: on the first line, and closing, unless more is said. */
export function complaint(
  code: ComplaintCode,
  path: string,
  message: string,
  fix: string,
  more: Partial<Pick<Complaint, "line" | "key" | "phase" | "closes">> = {},
): Complaint {
  return { code, path, line: 1, message, fix, closes: true, ...more };
}

/** The same complaints, of a phase. */
export function ofPhase(phase: number, complaints: readonly Complaint[]): Complaint[] {
  return complaints.map((one) => ({ ...one, phase }));
}
