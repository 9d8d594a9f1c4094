import type { Level } from "../../evidence/approval.ts";
import { durationOf } from "../../evidence/duration.ts";
import { describeComparison } from "../../evidence/evidence-words.ts";
import { describeRule, type EvidenceType, type Gate, type Requirement, type Source } from "../../evidence/gate.ts";
import type { JsonObject } from "../../evidence/json.ts";
import { wordAsked } from "../../workflow/need.ts";
import { complaintLine } from "../check/inspect-workflows.ts";
import { readGate } from "../gates/gate-definition.ts";
import { readText } from "../json-file.ts";
import type { Complaint } from "../phases/complaint.ts";
import type { Phase } from "../phases/phased-workflow.ts";
import { readPhased } from "../phases/read-phased.ts";
import { workflowPlaces } from "../phases/workflow-places.ts";
import { readSettings } from "../settings.ts";
import { shownIn } from "../shown.ts";
import { readInside } from "../stand.ts";

/** What the gates of a phased workflow will ask for, phase by phase, and where each demand comes from. */
export type Explained = {
  readonly workflow: string;
  readonly title: string;
  /** Its phases come from a task list that a session's options name. */
  readonly dynamic: boolean;
  /** What the options lack, where the phases come from them. */
  readonly needs?: string;
  /** Why it does not start. */
  readonly closed: readonly { readonly file: string; readonly line: number; readonly message: string }[];
  readonly phases: readonly ExplainedPhase[];
};

export type ExplainedPhase = {
  readonly phase: number;
  readonly name: string;
  readonly tasks: number;
  /** Whether a person must agree, by which word at least, and where that is written. */
  readonly approval: false | ExplainedApproval;
  /** Its gate cannot be read, and nothing opens it. */
  readonly closed: boolean;
  readonly evidence: readonly ExplainedDemand[];
  readonly comparisons: readonly (Partial<Source> & { readonly rule: string })[];
};

/** A person's word that is needed: by which level at least, whose, of how many, how long it counts, and where that is written. */
export type ExplainedApproval = Partial<Source> & {
  readonly level: Level;
  readonly by: readonly string[];
  readonly count?: number;
  readonly expires?: string;
};

export type ExplainedDemand = Partial<Source> & {
  readonly field: string;
  readonly type: EvidenceType;
  readonly required: boolean;
  readonly rules: readonly string[];
  readonly description: string;
};

/** Explains a phased workflow to its author; the names of those there are, where there is none of that name. */
export function explainWorkflow(
  definitions: string,
  projectArea: string,
  type: string,
  options: JsonObject,
): Explained | { readonly known: readonly string[] } {
  const {
    draft,
    isDynamic = false,
    invalidOptions,
  } = readInside(definitions, () => readPhased(definitions, projectArea, type, options));
  const least = readInside(definitions, () => readSettings(definitions)).settings.wordLevel;
  if (draft === undefined) return { known: workflowPlaces(definitions).places.map((place) => place.type) };
  const closing = draft.complaints.filter(({ closes }) => closes);
  return {
    workflow: draft.type,
    title: draft.title,
    dynamic: isDynamic,
    ...(invalidOptions === undefined ? {} : { needs: invalidOptions.invalidOptions }),
    closed: closing.flatMap((complaint) => {
      const file = shownIn(definitions, complaint.path);
      return reasonsOf(complaint).map((reason) => ({ file, ...reason }));
    }),
    phases: draft.phases.map((phase) => {
      const isClosed = closing.some((complaint) => complaint.phase === phase.number);
      return explainPhase(phase, least, isClosed);
    }),
  };
}

/** Everything that a complaint stands for: a gate file is closed by the first thing that is wrong with it, and there may be more. */
function reasonsOf(complaint: Complaint): readonly { readonly line: number; readonly message: string }[] {
  const { code, path, message } = complaint;
  const found = code === "closed-gate" ? readGate(readText(path) ?? "", path).complaints : [];
  const isFirst = found.some((one) => one.message === message);
  return isFirst
    ? found.map(({ line, message }) => ({ line, message }))
    : [{ line: complaintLine(complaint), message }];
}

function explainPhase(
  { number, name, tasks, gate }: Phase,
  least: Level | undefined,
  isClosed: boolean,
): ExplainedPhase {
  return {
    phase: number,
    name,
    tasks: tasks.length,
    approval: gate.approval && { ...explainApproval(gate, least), ...gate.approvalSource },
    closed: isClosed || gate.closed !== undefined,
    evidence: gate.requirements.map(explainDemand),
    comparisons: gate.comparisons.map((comparison) => ({ rule: describeComparison(comparison), ...comparison.source })),
  };
}

/** What a person's word must be where a step needs one: as its gate has it, and never less than the team wants of any. */
export function explainApproval(gate: Gate | undefined, least: Level | undefined): ExplainedApproval {
  const { level, by = [], count, expires } = wordAsked(gate, least === undefined ? {} : { wordLevel: least });
  return {
    level,
    by,
    ...(count === 1 ? {} : { count }),
    ...(expires === undefined ? {} : { expires: durationOf(expires) }),
  };
}

function explainDemand({
  field,
  type,
  required,
  rules,
  description,
  mayBeEmpty,
  source,
}: Requirement): ExplainedDemand {
  const isTrue = type === "boolean" && required && rules.length === 0;
  return {
    field,
    type,
    required,
    rules: [...rules.map(describeRule), ...(isTrue ? ["true"] : []), ...(mayBeEmpty ? ["may be empty"] : [])],
    description,
    ...source,
  };
}
