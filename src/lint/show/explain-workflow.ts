import { readText } from "../../definitions/files/json-file.ts";
import { readGate } from "../../definitions/gates/gate-definition.ts";
import type { Phase } from "../../definitions/phases/phased-workflow.ts";
import { readAllPhased, readPhased, readTaskListOf } from "../../definitions/phases/read-phased.ts";
import { workflowLocations } from "../../definitions/phases/workflow-locations.ts";
import type { WorkflowProblem } from "../../definitions/phases/workflow-problem.ts";
import { readSettings } from "../../definitions/settings/team-settings.ts";
import { displayPath } from "../../definitions/snapshot/display-path.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { ApprovalLevel } from "../../gates/approval-rule.ts";
import type { Calls } from "../../gates/calls.ts";
import { conditionText } from "../../gates/condition.ts";
import { describeComparison } from "../../gates/describe-rules.ts";
import type { EvidenceType, Gate, Requirement } from "../../gates/gate.ts";
import type { Route, Routing } from "../../gates/route.ts";
import { describeRule } from "../../gates/rule-vocabulary.ts";
import type { Source } from "../../gates/source.ts";
import { countText } from "../../kit/count-text.ts";
import { durationOf } from "../../kit/duration.ts";
import type { JsonObject } from "../../kit/json.ts";
import { requiredApproval } from "../../workflow/required-approval.ts";
import { brokenCalls, complaintLine } from "../inspect/inspect-workflows.ts";

/** The requirements of a phased workflow, phase by phase, with their sources. */
export type Explained = {
  readonly workflow: string;
  readonly title: string;
  /** True if its phases come from a task list named in a session's options. */
  readonly dynamic: boolean;
  /** The missing option, if the phases come from the options. */
  readonly needs?: string;
  /** The reasons it cannot start. */
  readonly closed: readonly { readonly file: string; readonly line: number; readonly message: string }[];
  readonly phases: readonly ExplainedPhase[];
};

export type ExplainedPhase = {
  readonly phase: number;
  readonly name: string;
  readonly tasks: number;
  /** The approval it needs, with its source. */
  readonly approval: false | ExplainedApproval;
  /** True if its gate cannot be read, so it never opens. */
  readonly closed: boolean;
  readonly evidence: readonly ExplainedDemand[];
  readonly comparisons: readonly (Partial<Source> & { readonly rule: string })[];
  /** Its conditions and routes in words, or null if it has none. */
  readonly route: ExplainedRoute | null;
};

/** The conditions and routes of a phase, as its author wrote them. */
export type ExplainedRoute = Partial<Source> & {
  readonly when?: string;
  readonly approval_when?: string;
  readonly then?: readonly string[];
  readonly role?: string;
  /** The workflow that does its work, in one session or one for each item. */
  readonly items?: string;
};

/** A required approval: least level, approvers, count, expiry and source. */
export type ExplainedApproval = Partial<Source> & {
  readonly level: ApprovalLevel;
  readonly by: readonly string[];
  readonly count?: number;
  readonly expires?: string;
};

export type ExplainedDemand = Partial<Source> & {
  readonly field: string;
  readonly type: EvidenceType;
  readonly required: boolean;
  /** False if its author's words alone are the requirement. */
  readonly checked: boolean;
  /** Its author's words. */
  readonly text: string;
  readonly rules: readonly string[];
};

/** Explains a phased workflow to its author, or lists the existing ones if the name is unknown. */
export async function explainWorkflow(
  definitions: DefinitionSnapshot,
  projectArea: string,
  type: string,
  options: JsonObject,
): Promise<Explained | { readonly known: readonly string[] }> {
  const tasks = await readTaskListOf(definitions, projectArea, type, options);
  const { draft, isDynamic = false, invalidOptions } = readPhased(definitions, type, tasks);
  const least = readSettings(definitions).settings.approvalLevel;
  if (draft === undefined) return { known: workflowLocations(definitions).places.map((place) => place.type) };
  const closing = draft.complaints.filter(({ closes }) => closes);
  const calls = brokenCalls(definitions, draft);
  return {
    workflow: draft.type,
    title: draft.title,
    dynamic: isDynamic,
    ...(invalidOptions === undefined ? {} : { needs: invalidOptions.invalidOptions }),
    closed: [...closing, ...calls].flatMap((complaint) => {
      const file = displayPath(definitions.folder, complaint.path);
      return reasonsOf(definitions, complaint).map((reason) => ({ file, ...reason }));
    }),
    phases: draft.phases.map((phase) => {
      const isClosed = [...closing, ...calls].some((complaint) => complaint.phase === phase.number);
      return explainPhase(phase, least, isClosed);
    }),
  };
}

/** Explains every phased workflow of a definitions folder. */
export async function explainAll(definitions: DefinitionSnapshot, projectArea: string): Promise<readonly Explained[]> {
  const types = [...readAllPhased(definitions).keys()];
  const all = await Promise.all(types.map((type) => explainWorkflow(definitions, projectArea, type, {})));
  return all.flatMap((one) => ("known" in one ? [] : [one]));
}

/** All reasons behind a complaint; a closed gate file may have several errors. */
function reasonsOf(
  definitions: DefinitionSnapshot,
  complaint: WorkflowProblem,
): readonly { readonly line: number; readonly message: string }[] {
  const { code, path, message } = complaint;
  const found = code === "closed-gate" ? readGate(readText(definitions, path) ?? "", path).complaints : [];
  const isFirst = found.some((one) => one.message === message);
  return isFirst
    ? found.map(({ line, message }) => ({ line, message }))
    : [{ line: complaintLine(definitions, complaint), message }];
}

function explainPhase(
  { number, name, tasks, gate }: Phase,
  least: ApprovalLevel | undefined,
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
    route: gate.routing === undefined ? null : explainRoute(gate.routing),
  };
}

function explainRoute({ when, approvalWhen, routes, role, calls, source }: Routing): ExplainedRoute {
  const said: [string, string | readonly string[]][] = [
    ...(when === undefined ? [] : [["when", conditionText(when)] as [string, string]]),
    ...(approvalWhen === undefined ? [] : [["approval_when", conditionText(approvalWhen)] as [string, string]]),
    ...(routes === undefined ? [] : [["then", routes.map(routeText)] as [string, readonly string[]]]),
    ...(role === undefined ? [] : [["role", role] as [string, string]]),
    ...(calls === undefined ? [] : [["items", callsText(calls)] as [string, string]]),
  ];
  return { ...Object.fromEntries(said), ...source };
}

/** The items of a phase and the workflow of each, in words. */
function callsText({ workflow, each, after, parallel }: Calls): string {
  if (each === undefined) return `one session of ${workflow}`;
  const list =
    "file" in each
      ? each.phase === undefined
        ? `the list ${each.file}`
        : `phase ${each.phase} of the list ${each.file}`
      : "in" in each
        ? `${each.in.length} values`
        : "input" in each
          ? `inputs.${each.input}`
          : `${each.step}.${each.field}`;
  return `a session of ${workflow} for each of ${list}, ${parallel} at once${after === undefined ? "" : `, after ${after}`}`;
}

function routeText({ when, to, atMost, only }: Route): string {
  const target = "back" in to ? `back to ${to.back}` : "end" in to ? `end as ${to.end}` : "on to the next step";
  const bound = atMost === undefined ? "" : `, at most ${countText(atMost, "time")}`;
  const some = only === undefined ? "" : ` for the items in ${only}`;
  return `${target}${some}${when === undefined ? "" : ` when ${conditionText(when)}`}${bound}`;
}

/** The approval a step needs, at least the team's level. */
export function explainApproval(gate: Gate | undefined, least: ApprovalLevel | undefined): ExplainedApproval {
  const {
    level,
    by = [],
    count,
    expires,
  } = requiredApproval(gate, least === undefined ? {} : { approvalLevel: least });
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
  checked,
  source,
}: Requirement): ExplainedDemand {
  const isTrue = type === "boolean" && required && rules.length === 0;
  return {
    field,
    type,
    required,
    checked: checked !== false,
    text: description,
    rules: [...rules.map(describeRule), ...(isTrue ? ["true"] : []), ...(mayBeEmpty ? ["may be empty"] : [])],
    ...source,
  };
}
