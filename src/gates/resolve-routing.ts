import type { Calls } from "./calls.ts";
import {
  type Condition,
  type ConditionOperand,
  type ConditionTest,
  mapOperands,
  partsOf,
  testsOf,
} from "./condition.ts";
import { closedGate, type EvidenceType, type Gate, type Requirement } from "./gate.ts";
import { hopelessPart, type KnownValues, knownOfField, knownOfLength } from "./hopeless-condition.ts";
import type { InputDeclaration } from "./input.ts";
import type { Problem } from "./problem.ts";
import type { Route, RouteTarget, Routing } from "./route.ts";
import type { Source } from "./source.ts";

/** The step of a sequence, as far as routes concern it. */
export type RoutedStep = {
  readonly name: string;
  readonly title?: string;
  readonly gate?: Gate;
  readonly routing?: Routing;
};

/** The inputs and outcomes that a workflow declares for its conditions and routes. */
export type Declared = { readonly inputs?: readonly InputDeclaration[]; readonly outcomes?: readonly string[] };

/** Resolves the names in conditions and routes; one that cannot hold, or leads nowhere, closes the gate of its step. */
export function withRouting<S extends RoutedStep>(steps: readonly S[], declared: Declared = {}): S[] {
  return steps.map((step, at): S => {
    if (step.routing === undefined) return step;
    const complaints: Complaint[] = [];
    const routing = resolveRouting(step.routing, { steps, at, declared, complaints });
    const [first] = complaints;
    if (first === undefined) return { ...step, routing };
    const { file = "gate-definition.yaml", line = 1 } = first.source ?? step.routing.source ?? {};
    const { message, fix } = first;
    const closed: Problem = { code: "gate-wrong-value", file, line, message, fix };
    return { ...step, routing: {}, gate: step.gate === undefined ? closedGate(closed) : { ...step.gate, closed } };
  });
}

type Complaint = { readonly message: string; readonly fix: string; readonly source?: Source | undefined };
type Scope = {
  readonly steps: readonly RoutedStep[];
  readonly at: number;
  readonly declared: Declared;
  readonly complaints: Complaint[];
};
type Key = "when" | "approval.when" | "then";

function resolveRouting({ when, approvalWhen, routes, calls, ...rest }: Routing, scope: Scope): Routing {
  return {
    ...rest,
    ...(calls === undefined ? {} : { calls: resolveCalls(calls, scope) }),
    ...(when === undefined ? {} : { when: resolve(when, "when", scope) }),
    ...(approvalWhen === undefined ? {} : { approvalWhen: resolve(approvalWhen, "approval.when", scope) }),
    ...(routes === undefined
      ? {}
      : { routes: routes.map((route, index) => resolveRoute(route, routes.slice(0, index), scope)) }),
  };
}

/** Resolves the step that items come from; it must be earlier. */
function resolveCalls(calls: Calls, { steps, at, declared, complaints }: Scope): Calls {
  const { each } = calls;
  if (each === undefined || "in" in each || "file" in each) return calls;
  if ("input" in each) {
    const input = declared.inputs?.find(({ name }) => name === each.input);
    const message = `for_each reads inputs.${each.input}, which is not a declared list`;
    if (input?.type !== "list") complaints.push({ message, fix: "Declare it with type: list." });
    return calls;
  }
  const place = stepNamed(each.step, steps);
  const why = place === undefined ? "no step has that name" : "it does not come earlier";
  const message = `for_each reads ${each.step}.${each.field}, but ${why}`;
  if (place === undefined || place >= at) complaints.push({ message, fix: "Name a field of an earlier step." });
  return { ...calls, each: { ...each, step: steps[place ?? -1]?.name ?? each.step } };
}

function resolveRoute(route: Route, before: readonly Route[], scope: Scope): Route {
  const complaints: Complaint[] = [];
  if (before.some(({ when, atMost }) => when === undefined && atMost === undefined))
    complaints.push({
      message: "a route can never be taken: the one before it has no condition",
      fix: "Give that one a condition, or delete this one.",
    });
  const inside = { ...scope, complaints };
  const to = resolveTarget(route.to, inside);
  if (route.only !== undefined) complaints.push(...onlyComplaints(route.only, to, inside));
  const when = route.when === undefined ? {} : { when: resolve(route.when, "then", inside) };
  scope.complaints.push(...complaints.map((one) => ({ ...one, source: route.source })));
  return { ...route, to, ...when };
}

/** Reports an `only` that names no required field of this gate, or leads to a step without items. */
function onlyComplaints(only: string, to: RouteTarget, { steps, at }: Scope): Complaint[] {
  const target = "back" in to ? steps.find(({ name }) => name === to.back) : undefined;
  const known = steps[at]?.gate?.requirements.find(({ field }) => field === only);
  return [
    ...(known?.required === true
      ? []
      : [{ message: `only names ${only}, which is not a required field of this gate`, fix: "Require it, as a list." }]),
    ...(target === undefined || target.routing?.calls?.each !== undefined
      ? []
      : [{ message: "only goes back for single items, but that step has no for_each", fix: "Leave only out." }]),
  ];
}

function resolveTarget(to: RouteTarget, { steps, at, declared, complaints }: Scope): RouteTarget {
  if ("end" in to) {
    const { outcomes = ["done"] } = declared;
    const message = `end names the outcome ${to.end}, which the workflow does not declare`;
    if (!outcomes.includes(to.end)) complaints.push({ message, fix: `Use one of: ${outcomes.join(", ")}.` });
    return to;
  }
  if (!("back" in to)) return to;
  const found = stepNamed(to.back, steps);
  if (found !== undefined && found <= at) return { back: steps[found]?.name ?? to.back };
  const why = found === undefined ? "no step has that name" : "that step comes later";
  complaints.push({
    message: `back_to names ${to.back}, but ${why}`,
    fix: "Name an earlier step, or the step itself.",
  });
  return to;
}

/** The place of a step by its name, its number, `phase_N` or its title in snake_case. */
export function stepNamed(written: string, steps: readonly Pick<RoutedStep, "name" | "title">[]): number | undefined {
  const number = /^phase_(\d+)$/.exec(written)?.[1];
  const places = [...steps.keys()];
  const exact = places.filter((at) => steps[at]?.name === (number ?? written));
  const titled = places.filter((at) => snakeCase(steps[at]?.title ?? "") === snakeCase(written));
  const found = exact.length > 0 ? exact : titled;
  return found.length === 1 ? found[0] : undefined;
}

function snakeCase(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "");
}

/** A resolved operand; without a kind it could not be resolved. */
type Resolved = {
  readonly operand: ConditionOperand;
  readonly kind?: "number" | "string" | "boolean";
  /** The only values it can have. */
  readonly values?: readonly unknown[] | undefined;
  readonly known?: KnownValues;
};

function resolve(condition: Condition, key: Key, scope: Scope): Condition {
  for (const one of testsOf(condition)) scope.complaints.push(...testComplaints(one, key, scope));
  const silent = { ...scope, complaints: [] };
  const hopeless =
    scope.complaints.length > 0
      ? undefined
      : hopelessPart(condition, (operand) => resolveOperand(operand, key, silent).known);
  if (hopeless !== undefined)
    scope.complaints.push({
      message: `a condition can never hold: ${hopeless}`,
      fix: hopeless.endsWith("false")
        ? "A boolean must be true to pass its gate: write validator: { one_of: [true, false] } to let it be false."
        : "Change the condition, or what the gate allows.",
    });
  return mapOperands(condition, (operand) => resolveOperand(operand, key, silent).operand);
}

function testComplaints({ left, is, right }: ConditionTest, key: Key, scope: Scope): Complaint[] {
  const all = [left, right].flatMap(partsOf).map((part) => resolveOperand(part, key, scope));
  if (all.every(({ operand }) => "value" in operand))
    return [{ message: "a condition names no field", fix: "Compare a field, an input or rounds(step)." }];
  const isOrder = is !== "equal_to" && is !== "different_from";
  const isSum = "sum" in left || "sum" in right;
  const kinds = all.flatMap(({ kind }) => kind ?? []);
  const wanted = isOrder || isSum ? "number" : kinds[0];
  const odd = kinds.find((kind) => kind !== wanted);
  if (odd !== undefined)
    return [{ message: `a condition compares a ${odd} with a ${wanted}`, fix: "Compare values of one type." }];
  const allowed = all.find(({ values }) => values !== undefined)?.values;
  const fixed = all.flatMap(({ operand }) => ("value" in operand ? [operand.value] : []));
  const strange = fixed.find((value) => allowed?.includes(value) === false);
  if (strange === undefined || isOrder || isSum) return [];
  const result = is === "equal_to" ? "can never" : "must always";
  const message = `a condition ${result} hold: ${JSON.stringify(strange)} is not an allowed value`;
  return [{ message, fix: `Use one of: ${(allowed ?? []).map(String).join(", ")}.` }];
}

function resolveOperand(operand: ConditionOperand, key: Key, scope: Scope): Resolved {
  const { complaints, steps, declared } = scope;
  if ("value" in operand) return { operand, kind: kindOfValue(operand.value) };
  if ("sum" in operand) return { operand, kind: "number" };
  if ("rounds" in operand) {
    const at = stepNamed(operand.rounds, steps);
    if (at === undefined)
      complaints.push({ message: `rounds(${operand.rounds}) names no step`, fix: "Name a step of this workflow." });
    const known = { type: "integer", rules: [{ kind: "at_least", limit: 0 }] } as const;
    return { operand: { rounds: steps[at ?? -1]?.name ?? operand.rounds }, kind: "number", known };
  }
  if ("item" in operand) return { operand };
  if (!("input" in operand)) return resolveField(operand, key, scope);
  const said = `inputs.${operand.input}`;
  const input = declared.inputs?.find(({ name }) => name === operand.input);
  if (input === undefined)
    complaints.push({ message: `${said} is not declared`, fix: "Declare it under inputs in the workflow." });
  if (input === undefined || input.type === "list" || input.type === "object") {
    if (input !== undefined)
      complaints.push({ message: `${said} is a ${input.type} and cannot be compared`, fix: "Use another input." });
    return { operand };
  }
  return { operand, kind: input.type === "integer" ? "number" : input.type, values: input.oneOf };
}

function resolveField(
  operand: Extract<ConditionOperand, { readonly field: string } | { readonly lengthOf: string }>,
  key: Key,
  { steps, at, complaints }: Scope,
): Resolved {
  const field = "field" in operand ? operand.field : operand.lengthOf;
  const said = operand.step === undefined ? field : `${operand.step}.${field}`;
  const place = operand.step === undefined ? at : stepNamed(operand.step, steps);
  const step = steps[place ?? -1];
  const known = step?.gate?.requirements.find((one) => one.field === field);
  const isOwn = place === at;
  const wrong = fieldComplaint({ said, known, isOwn, place, at, key, isLength: "lengthOf" in operand });
  if (wrong !== undefined) complaints.push(wrong);
  if (wrong !== undefined || step === undefined || known === undefined) return { operand };
  const from = isOwn ? {} : { step: step.name };
  if ("lengthOf" in operand)
    return { operand: { lengthOf: field, ...from }, kind: "number", known: knownOfLength(known) };
  return {
    operand: { field, ...from },
    ...kindOfField(known),
    values: allowedValues(known),
    known: knownOfField(known),
  };
}

type FieldUse = {
  readonly said: string;
  readonly known: Requirement | undefined;
  readonly isOwn: boolean;
  readonly place: number | undefined;
  readonly at: number;
  readonly key: Key;
  readonly isLength: boolean;
};

function fieldComplaint({ said, known, isOwn, place, at, key, isLength }: FieldUse): Complaint | undefined {
  if (place === undefined) return { message: `${said} names no step`, fix: "Name a step of this workflow." };
  if (place > at) return { message: `${said} belongs to a later step`, fix: "Read a field of an earlier step." };
  if (isOwn && key === "when")
    return { message: `when cannot read ${said}: it is judged before the step`, fix: "Read an earlier step's field." };
  if (known === undefined)
    return { message: `${said} is not a field of that step's gate`, fix: "Name a field of its evidence_schema." };
  if (isOwn && key === "then" && !known.required)
    return { message: `then reads ${said}, which is not required`, fix: "Require it in the same gate." };
  const kind = kindOfField(known).kind;
  if (isLength && (kind === "number" || kind === "boolean"))
    return { message: `${said} has no length`, fix: "Compare its value." };
  if (isLength || kind !== undefined) return undefined;
  return { message: `${said} has no type that a condition can compare`, fix: "Give it a type in its gate." };
}

function kindOfField({ type, checked }: Requirement): Pick<Resolved, "kind"> {
  const kind = checked === false ? undefined : kinds[type];
  return kind === undefined ? {} : { kind };
}

const kinds: Readonly<Record<EvidenceType, "number" | "string" | "boolean" | undefined>> = {
  boolean: "boolean",
  integer: "number",
  number: "number",
  string: "string",
  file: "string",
  url: "string",
  date: "string",
  list: undefined,
  object: undefined,
  any: undefined,
};

function kindOfValue(value: string | number | boolean): NonNullable<Resolved["kind"]> {
  return typeof value === "string" ? "string" : typeof value === "number" ? "number" : "boolean";
}

/** The only values that a gate allows for a field; undefined if it does not limit them. */
export function allowedValues({ rules }: Requirement): readonly unknown[] | undefined {
  const chosen = rules.find((rule) => rule.kind === "one_of");
  return chosen?.kind === "one_of" ? chosen.values : undefined;
}
