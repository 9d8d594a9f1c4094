import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readJson } from "../../definitions/files/json-file.ts";
import { allPhases } from "../../definitions/phases/read-phased.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { Check, CommandCheck, Pin } from "../../gates/check.ts";
import type { Gate } from "../../gates/gate.ts";
import { isObject } from "../../kit/json.ts";
import { valueAt } from "../../kit/json-pointer.ts";
import { scriptOf } from "../../kit/package-script.ts";
import type { CheckContext, DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports checks that parse but cannot work: bad globs and schemas, lost pins, fields the gate does not ask for. */
export function inspectChecks(survey: DefinitionsSurvey, surroundings: CheckContext): ReportedFinding[] {
  const { definitions, bots } = survey;
  const { root } = surroundings;
  const gates: { readonly gate: Gate | undefined; readonly area: string }[] = [
    ...bots.flatMap(({ tree, workflows }) => {
      const area = resolve(root, tree.projectArea ?? ".");
      return workflows.flatMap(({ steps }) => steps.map(({ gate }) => ({ gate, area })));
    }),
    ...allPhases(definitions).map(({ gate }) => ({ gate, area: root })),
  ];
  return gates.flatMap(({ gate, area }) =>
    gate === undefined || gate.closed !== undefined
      ? []
      : (gate.checks ?? []).flatMap((check) => noteCheck(definitions, { check, gate, area, surroundings })),
  );
}

type CheckUnderInspection = {
  readonly check: Check;
  readonly gate: Gate;
  readonly area: string;
  readonly surroundings: CheckContext;
};

type CheckFinding = Pick<ReportedFinding, "code" | "message" | "fix">;

function noteCheck(definitions: DefinitionSnapshot, looked: CheckUnderInspection): ReportedFinding[] {
  const { check } = looked;
  const { file = "", line = 1 } = check.source ?? {};
  const path = join(dirname(definitions.folder), file);
  return findingsOf(definitions, looked).map((said) => ({
    ...said,
    path,
    line,
    message: `the check ${check.name}: ${said.message}`,
  }));
}

function findingsOf(
  definitions: DefinitionSnapshot,
  { check, gate, area, surroundings }: CheckUnderInspection,
): CheckFinding[] {
  switch (check.kind) {
    case "command":
      return [
        ...(check.reads ?? []).flatMap((glob) => unusable(surroundings.globProblem(glob))),
        ...check.pins.flatMap((pin) => missingPin(area, pin)),
        ...unrequestedFields(check, gate),
        ...unpinned(check),
      ];
    case "file":
      return check.schema === undefined ? [] : schemaProblem(definitions, check.schema, surroundings);
    case "git":
      return check.branch === undefined ? [] : unusable(surroundings.globProblem(check.branch));
  }
}

function unusable(problem: string | undefined): CheckFinding[] {
  const fix = "Fix it; until then the check always fails.";
  return problem === undefined ? [] : [{ code: "unusable-check", message: problem, fix }];
}

function schemaProblem(
  definitions: DefinitionSnapshot,
  schema: string,
  { schemaProblem: problemOf }: CheckContext,
): CheckFinding[] {
  const read = readJson(definitions, join(definitions.folder, schema));
  if (!("value" in read)) return unusable(`${schema} cannot be read from the definitions folder`);
  if (!isObject(read.value)) return unusable(`${schema} is not a JSON Schema`);
  return unusable(problemOf(read.value));
}

/** The text of a file in the project area; undefined if it cannot be read. */
function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function missingPin(area: string, { file, pointer }: Pin): CheckFinding[] {
  const text = textAt(join(area, file));
  if (text !== undefined && (pointer === undefined || isThere(text, pointer))) return [];
  const shown = pointer === undefined ? file : `${file}#${pointer}`;
  const message = `its pin ${shown} does not exist in the project area`;
  return [
    { code: "pin-to-nothing", message, fix: "Name a file in the project area, or a value in a JSON file there." },
  ];
}

function isThere(text: string, pointer: string): boolean {
  try {
    return valueAt(JSON.parse(text), pointer) !== undefined;
  } catch {
    return false;
  }
}

function unrequestedFields({ gives }: CommandCheck, { requirements }: Gate): CheckFinding[] {
  const asked = requirements.map(({ field }) => field);
  return Object.keys(gives)
    .filter((field) => !asked.includes(field))
    .map((field) => ({
      code: "gives-unasked",
      message: `it provides ${field}, which the gate does not ask for`,
      fix: `Add ${field} to evidence_schema, or remove it from gives.`,
    }));
}

function unpinned({ run, pins }: CommandCheck): CheckFinding[] {
  const script = scriptOf(run);
  if (script === undefined || pins.some(({ file }) => /(?:^|\/)package\.json$/.test(file))) return [];
  const message = `${run.join(" ")} runs the script ${script} even after someone changes it`;
  const fix = `Pin it: pins: ["package.json#/scripts/${script}"].`;
  return [{ code: "unpinned-script", message, fix }];
}
