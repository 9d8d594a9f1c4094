import type { Phase, PhasedWorkflow } from "../../definitions/phases/phased-workflow.ts";
import { readAllPhased } from "../../definitions/phases/read-phased.ts";
import type { Requirement } from "../../gates/gate.ts";
import { describeRule } from "../../gates/rule-vocabulary.ts";
import type { DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports phases whose text is the same as in a session's copy, but is read otherwise now. */
export function inspectPinned(
  { definitions }: DefinitionsSurvey,
  pinned: readonly PhasedWorkflow[],
): ReportedFinding[] {
  return [...readAllPhased(definitions)].flatMap(([type, { draft, place }]) =>
    pinned
      .filter((one) => one.type === type)
      .flatMap(({ phases }) =>
        phases.flatMap((before): ReportedFinding[] => {
          const now = draft?.phases.find(({ number }) => number === before.number);
          if (now?.gate.isFromProse !== true || place === undefined || wordsOf(now) !== wordsOf(before)) return [];
          const differ = differences(before, now);
          if (differ.length === 0) return [];
          const line = draft?.lines.find(({ phase }) => phase === now.number);
          const message = `phase ${now.number} was read otherwise before: ${differ.join("; ")}`;
          return [
            { code: "read-otherwise-before", path: line?.path ?? place.path, line: line?.line ?? 1, message, fix },
          ];
        }),
      ),
  );
}

const fix =
  "Sessions started before go on as they were read. waymark update SESSION moves one; reword the line if the old rule was meant.";

/** The texts of a phase that its gate is read from. */
function wordsOf({ content, tasks }: Phase): string {
  return JSON.stringify([content, tasks.map((task) => task.content)]);
}

/** Describes each field that differs, before and now, and the approval. */
function differences(before: Phase, now: Phase): readonly string[] {
  const [was, is] = [before, now].map(({ gate }) => gate.requirements.filter(({ field }) => field !== "summary"));
  const fields = new Set([...(was ?? []), ...(is ?? [])].map(({ field }) => field));
  const told = [...fields].flatMap((field) => {
    const [old, own] = [was, is].map((all) => words(all?.find((one) => one.field === field)));
    return old === own ? [] : [`${field} was ${old}, and is ${own}`];
  });
  const approval = [before, now].map(({ gate }) => (gate.approval ? "asked for" : "not asked for"));
  return approval[0] === approval[1]
    ? told
    : [...told, `a person's approval was ${approval[0]}, and is ${approval[1]}`];
}

function words(requirement: Requirement | undefined): string {
  if (requirement === undefined) return "not there";
  const { type, rules, required, checked } = requirement;
  return [
    ...(checked === false ? ["asked as written"] : [type, ...rules.map(describeRule)]),
    ...(required ? [] : ["optional"]),
  ].join(", ");
}
