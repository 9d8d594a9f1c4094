import { dirname, join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { Gate } from "../../gates/gate.ts";
import { type EarlierField, earlierFields } from "../../gates/judge-comparison.ts";
import { withRouting } from "../../gates/resolve-routing.ts";
import { openTexts, optionalReads } from "../../gates/risky-reads.ts";
import type { Routing } from "../../gates/route.ts";
import { withFresh } from "../../gates/sequence-checks.ts";
import { readText } from "../files/json-file.ts";
import { lineAt } from "../files/json-locations.ts";
import type { Declarations } from "./declarations.ts";
import { unknownPlaceholders } from "./fill-placeholders.ts";
import type { Phase, WorkflowDraft } from "./phased-workflow.ts";
import { type WorkflowProblem, workflowProblem } from "./workflow-problem.ts";

/** Reports comparisons with a phase that is not earlier, or with a field it does not require. */
export function earlierComplaints(
  { phases, ...declared }: Pick<WorkflowDraft, "phases" | "inputs" | "outcomes">,
  definitions: DefinitionSnapshot,
): WorkflowProblem[] {
  const folder = dirname(definitions.folder);
  return [
    ...sequenceComplaints(phases, declared, folder),
    ...comparedComplaints(phases, folder),
    ...placeholderComplaints(phases, declared, definitions),
    ...textComplaints(phases, declared, folder),
    ...optionalComplaints(phases, declared, folder),
  ];
}

/** Reports `fresh` checks that no earlier phase has, and conditions and routes that name what is not there. */
function sequenceComplaints(phases: readonly Phase[], declared: Declarations, definitions: string): WorkflowProblem[] {
  return routedSteps(phases, declared).flatMap(({ number: phase, gate: { closed } }, at) => {
    if (closed === undefined || closed === phases[at]?.gate.closed) return [];
    const { file, line = 1, message, fix = "" } = closed;
    return [workflowProblem("requirement-not-understood", `${definitions}/${file}`, message, fix, { line, phase })];
  });
}

/** Reports placeholders that name no input or field, each once a file. */
function placeholderComplaints(
  phases: readonly Phase[],
  declared: Declarations,
  definitions: DefinitionSnapshot,
): WorkflowProblem[] {
  return phases.flatMap(({ number: phase, content, sources, tasks }) => {
    const texts = [content, ...tasks.filter(({ source }) => !sources.includes(source)).map((task) => task.content)];
    const files = [...sources, ...tasks.map(({ source }) => source)].map((source) => join(definitions.folder, source));
    const written = new Set(texts.flatMap((text) => unknownPlaceholders(text, { phases, ...declared })));
    return [...written].flatMap((one) => {
      const path = files.find((file) => readText(definitions, file)?.includes(one)) ?? files[0] ?? "";
      const text = readText(definitions, path) ?? "";
      const line = lineAt(text, Math.max(0, text.indexOf(one)));
      const message = `${one} names nothing, so it is shown as it is`;
      return [workflowProblem("unknown-placeholder", path, message, known, { line, phase, closes: false })];
    });
  });
}

const known = "Use {{inputs.NAME}}, {{PHASE.FIELD}} of an earlier phase, or {{target_file}}.";

/** Reports conditions that compare a text with a word although the gate allows any text. */
function textComplaints(phases: readonly Phase[], declared: Declarations, definitions: string): WorkflowProblem[] {
  return openTexts(routedSteps(phases, declared)).map(({ field, source: { file, line } }) =>
    workflowProblem(
      "open-text-compared",
      `${definitions}/${file}`,
      `a condition compares ${field} with a word, but its gate allows any text: a misspelled value takes no route`,
      `Give ${field} the validator one_of.`,
      { line, closes: false },
    ),
  );
}

/** Reports conditions that read a field which may be left out. */
function optionalComplaints(phases: readonly Phase[], declared: Declarations, definitions: string): WorkflowProblem[] {
  return optionalReads(routedSteps(phases, declared)).map(({ said, source: { file, line } }) =>
    workflowProblem(
      "optional-field-compared",
      `${definitions}/${file}`,
      `a condition reads ${said}, which may be left out: it is unknown then, and no route is taken or step passed over`,
      `Require ${said} in its gate.`,
      { line, closes: false },
    ),
  );
}

/** The phases as steps, with their checks and routes resolved. */
export function routedSteps(phases: readonly Phase[], declared: Declarations): readonly RoutedPhase[] {
  const steps = withFresh(phases).map(
    ({ number, name: title, gate }): RoutedPhase => ({
      number,
      name: String(number),
      gate,
      ...(title === "" ? {} : { title }),
      ...(gate.routing === undefined ? {} : { routing: gate.routing }),
    }),
  );
  return withRouting(steps, declared);
}

type RoutedPhase = {
  readonly number: number;
  readonly name: string;
  readonly title?: string;
  readonly gate: Gate;
  readonly routing?: Routing;
};

function comparedComplaints(phases: readonly Phase[], definitions: string): WorkflowProblem[] {
  return phases.flatMap(({ number, gate }) =>
    gate.comparisons.flatMap(({ source, ...comparison }) => {
      const earlier = phases.filter((phase) => phase.number < number);
      const [message] = earlierFields(comparison).flatMap((back) => whyNot(back, earlier) ?? []);
      const fix = "Compare with a field that an earlier phase requires, such as phase_1.case_count.";
      const path = `${definitions}/${source?.file ?? ""}`;
      const { line = 1 } = source ?? {};
      return message === undefined
        ? []
        : [workflowProblem("requirement-not-understood", path, message, fix, { line, phase: number })];
    }),
  );
}

function whyNot({ step, field, isLength }: EarlierField, earlier: readonly Phase[]): string | undefined {
  const phase = earlier.find(({ number }) => number === step);
  const known = phase?.gate.requirements.find((one) => one.field === field);
  if (phase === undefined) return `phase ${step} is not an earlier phase`;
  if (!known?.required) return `phase_${step}.${field} is not a required field there`;
  const isLong = known.type === "list" || known.type === "object";
  const fits = isLength ? isLong || known.type === "string" : !isLong;
  return fits ? undefined : `phase_${step}.${field} is a ${known.type} and cannot be compared like this`;
}
