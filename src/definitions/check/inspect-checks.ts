import { dirname, join, resolve } from "node:path";
import type { Check, CommandCheck, Pin } from "../../evidence/check.ts";
import type { Gate } from "../../evidence/gate.ts";
import { isObject } from "../../evidence/json.ts";
import { valueAt } from "../../evidence/json-pointer.ts";
import { scriptOf } from "../../evidence/script-of.ts";
import { readJson, readText } from "../json-file.ts";
import { readPhased } from "../phases/read-phased.ts";
import { workflowPlaces } from "../phases/workflow-places.ts";
import type { Noted } from "./finding.ts";
import type { Surroundings, Survey } from "./survey.ts";

/** Reports checks that are understood and cannot do what they are meant to: globs, schemas, pins and fields that lead nowhere. */
export function inspectChecks(survey: Survey, surroundings: Surroundings): Noted[] {
  const { definitions, bots } = survey;
  const { root } = surroundings;
  const gates: { readonly gate: Gate | undefined; readonly area: string }[] = [
    ...bots.flatMap(({ tree, workflows }) => {
      const area = resolve(root, tree.projectArea ?? ".");
      return workflows.flatMap(({ steps }) => steps.map(({ gate }) => ({ gate, area })));
    }),
    ...[...new Set(workflowPlaces(definitions).places.map(({ type }) => type))].flatMap((type) =>
      (readPhased(definitions, definitions, type, {}).draft?.phases ?? []).map(({ gate }) => ({ gate, area: root })),
    ),
  ];
  return gates.flatMap(({ gate, area }) =>
    gate === undefined || gate.closed !== undefined
      ? []
      : (gate.checks ?? []).flatMap((check) => noteCheck({ check, gate, area, definitions, surroundings })),
  );
}

type Looked = {
  readonly check: Check;
  readonly gate: Gate;
  readonly area: string;
  readonly definitions: string;
  readonly surroundings: Surroundings;
};

type Said = Pick<Noted, "code" | "message" | "fix">;

function noteCheck(looked: Looked): Noted[] {
  const { check, definitions } = looked;
  const { file = "", line = 1 } = check.source ?? {};
  const path = join(dirname(definitions), file);
  return saidOf(looked).map((said) => ({ ...said, path, line, message: `the check ${check.name}: ${said.message}` }));
}

function saidOf({ check, gate, area, definitions, surroundings }: Looked): Said[] {
  switch (check.kind) {
    case "command":
      return [
        ...(check.reads ?? []).flatMap((glob) => unusable(surroundings.globProblem(glob))),
        ...check.pins.flatMap((pin) => lostPin(area, pin)),
        ...unasked(check, gate),
        ...unpinned(check),
      ];
    case "file":
      return check.schema === undefined ? [] : schemaProblem(definitions, check.schema, surroundings);
    case "git":
      return check.branch === undefined ? [] : unusable(surroundings.globProblem(check.branch));
  }
}

function unusable(problem: string | undefined): Said[] {
  const fix = "Mend it: as it is, the check fails each time.";
  return problem === undefined ? [] : [{ code: "unusable-check", message: problem, fix }];
}

function schemaProblem(definitions: string, schema: string, { schemaProblem: problemOf }: Surroundings): Said[] {
  const read = readJson(join(definitions, schema));
  if (!("value" in read)) return unusable(`${schema} cannot be read among the definitions`);
  if (!isObject(read.value)) return unusable(`${schema} is no JSON Schema`);
  return unusable(problemOf(read.value));
}

function lostPin(area: string, { file, pointer }: Pin): Said[] {
  const text = readText(join(area, file));
  if (text !== undefined && (pointer === undefined || isThere(text, pointer))) return [];
  const shown = pointer === undefined ? file : `${file}#${pointer}`;
  const message = `its pin ${shown} points at nothing in the project area`;
  return [{ code: "pin-to-nothing", message, fix: "Name a file of the project area, or a value in a JSON file." }];
}

function isThere(text: string, pointer: string): boolean {
  try {
    return valueAt(JSON.parse(text), pointer) !== undefined;
  } catch {
    return false;
  }
}

function unasked({ gives }: CommandCheck, { requirements }: Gate): Said[] {
  const asked = requirements.map(({ field }) => field);
  return Object.keys(gives)
    .filter((field) => !asked.includes(field))
    .map((field) => ({
      code: "gives-unasked",
      message: `it gives ${field}, which the gate does not ask for`,
      fix: `Ask for ${field} in evidence_schema, or take it out.`,
    }));
}

function unpinned({ run, pins }: CommandCheck): Said[] {
  const script = scriptOf(run);
  if (script === undefined || pins.some(({ file }) => /(?:^|\/)package\.json$/.test(file))) return [];
  const message = `${run.join(" ")} runs whatever the script ${script} says, also once it has been changed`;
  const fix = `Pin it: pins: ["package.json#/scripts/${script}"].`;
  return [{ code: "unpinned-script", message, fix }];
}
