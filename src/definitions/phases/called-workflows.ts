import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { type Calls, maxDepth } from "../../gates/calls.ts";
import { stepNamed } from "../../gates/resolve-routing.ts";
import { placeholdersIn } from "./fill-placeholders.ts";
import type { Phase, WorkflowDraft } from "./phased-workflow.ts";
import { type PhasedRead, readPhased } from "./read-phased.ts";

/** A step's call that cannot work, in words for its author. */
export type CallProblem = {
  readonly phase: number;
  readonly line: number;
  readonly file: string;
  readonly message: string;
  readonly fix: string;
};

/** The calls of a workflow's phases. */
export function callsOf(phases: readonly Phase[]): readonly (Calls & { readonly phase: Phase })[] {
  return phases.flatMap((phase) => {
    const { calls } = phase.gate.routing ?? {};
    return calls === undefined ? [] : [{ ...calls, phase }];
  });
}

/** Reports calls of workflows that do not exist, cannot be used or lead back to the caller, and inputs, outcomes and fields that do not match. */
export function callProblems(definitions: DefinitionSnapshot, draft: WorkflowDraft): readonly CallProblem[] {
  return callsOf(draft.phases).flatMap(({ phase, ...calls }) => {
    if (draft.builtIn?.[calls.workflow] !== undefined) return [];
    const { file, line } = phase.gate.routing?.source ?? { file: phase.sources[0] ?? "", line: 1 };
    const problem = callProblem(definitions, calls, [draft.type], draft);
    return problem === undefined ? [] : [{ phase: phase.number, file, line, ...problem }];
  });
}

type Problem = { readonly message: string; readonly fix: string };

/** Finds the problem with one call; `path`: the workflows that lead to it. */
export function callProblem(
  definitions: DefinitionSnapshot,
  calls: Calls,
  path: readonly string[],
  caller?: Pick<WorkflowDraft, "inputs" | "phases">,
): Problem | undefined {
  const { workflow } = calls;
  const called = readPhased(definitions, workflow);
  if (called.draft === undefined || called.place === undefined)
    return { message: `workflow ${workflow} does not exist`, fix: "Name a workflow of these definitions." };
  const around = circle(definitions, called, path);
  if (around !== undefined) return around;
  if (called.isDynamic)
    return {
      message: `${workflow} takes its phases from a task list, so no step can call it`,
      fix: "Call another workflow.",
    };
  if (called.draft.complaints.some(({ closes }) => closes))
    return {
      message: `workflow ${workflow} cannot be used`,
      fix: "Fix it first: waymark check reports what is wrong with it.",
    };
  return mismatch(calls, called.draft, caller);
}

/** A workflow that calls itself, or calls that are nested too deeply. */
function circle(
  definitions: DefinitionSnapshot,
  { draft, place }: PhasedRead,
  path: readonly string[],
): Problem | undefined {
  if (draft === undefined || place === undefined) return undefined;
  const seen = path.flatMap((type) => readPhased(definitions, type).place?.path ?? []);
  const names = [...path, draft.type].join(" → ");
  if (seen.includes(place.path))
    return { message: `a workflow calls itself: ${names}`, fix: "Remove one of the calls." };
  if (path.length > maxDepth)
    return { message: `calls are nested more than ${maxDepth} deep: ${names}`, fix: "Use fewer levels." };
  for (const { workflow } of callsOf(draft.phases)) {
    const found = circle(definitions, readPhased(definitions, workflow), [...path, draft.type]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Inputs, outcomes and fields of a call that the called workflow does not have. */
function mismatch(
  { workflow, each, with: given, accept, collect }: Calls,
  { inputs = [], outcomes = ["done"], phases }: WorkflowDraft,
  caller: Pick<WorkflowDraft, "inputs" | "phases"> | undefined,
): Problem | undefined {
  const names = inputs.map(({ name }) => name).join(", ");
  const unknown = Object.keys(given).find((name) => !inputs.some((one) => one.name === name));
  if (unknown !== undefined)
    return {
      message: `with gives ${workflow} the input ${unknown}, which it does not have`,
      fix: `Its inputs: ${names || "none"}.`,
    };
  const missing = inputs.find(({ name, required }) => required && given[name] === undefined);
  if (missing !== undefined)
    return { message: `${workflow} needs the input ${missing.name}`, fix: `Add it: with: { ${missing.name}: "…" }.` };
  const odd = accept.find((one) => !outcomes.includes(one));
  if (odd !== undefined)
    return {
      message: `accept names ${odd}, which is not an outcome of ${workflow}`,
      fix: `Use one of: ${outcomes.join(", ")}.`,
    };
  const steps = phases.map(({ number, name: title }) => ({ name: String(number), title }));
  const lost = collect.find(({ step, from }) => {
    const at = stepNamed(step, steps);
    return phases[at ?? -1]?.gate.requirements.some(({ field }) => field === from) !== true;
  });
  if (lost !== undefined)
    return {
      message: `collect reads ${lost.step}.${lost.from}, which ${workflow} does not ask for`,
      fix: "Name a field of one of its gates.",
    };
  const known = caller === undefined ? undefined : (owner: string, name: string) => isKnown(owner, name, caller);
  const texts = [...Object.values(given), each !== undefined && "file" in each ? each.file : ""];
  const written = texts.flatMap((value) => (typeof value === "string" ? placeholdersIn(value) : []));
  const strange =
    known === undefined ? undefined : written.find(({ owner, name }) => name !== undefined && !known(owner, name));
  return strange === undefined
    ? undefined
    : {
        message: `with or file names ${strange.written}, which does not exist`,
        fix: "Use {{item.FIELD}}, {{inputs.NAME}} or {{PHASE.FIELD}}.",
      };
}

function isKnown(
  owner: string,
  name: string,
  { inputs = [], phases }: Pick<WorkflowDraft, "inputs" | "phases">,
): boolean {
  if (owner === "item") return true;
  if (owner === "inputs") return inputs.some((one) => one.name === name);
  const steps = phases.map(({ number, name: title }) => ({ name: String(number), title }));
  return phases[stepNamed(owner, steps) ?? -1]?.gate.requirements.some(({ field }) => field === name) === true;
}

/** The files and folders of workflows, and of those that they call. */
export function calledPlaces(definitions: DefinitionSnapshot, names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const add = (name: string): void => {
    const { draft, place } = readPhased(definitions, name);
    if (draft === undefined || place === undefined || found.has(place.path)) return;
    found.add(place.path);
    for (const { workflow } of callsOf(draft.phases)) add(workflow);
  };
  for (const name of names) add(name);
  return [...found];
}
