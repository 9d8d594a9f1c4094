import { type ConditionTest, operandText, partsOf, testsOf } from "./condition.ts";
import type { Requirement } from "./gate.ts";
import { allowedValues, type RoutedStep } from "./resolve-routing.ts";
import type { Source } from "./source.ts";

/** The comparisons of conditions with a text that the gate does not limit to a list: a misspelled value would take no route. */
export function openTexts(
  steps: readonly RoutedStep[],
): readonly { readonly field: string; readonly source: Source }[] {
  return writtenTests(steps).flatMap(({ left, right, source, step }) => {
    const text = [left, right].find((one) => "value" in one && typeof one.value === "string");
    const field = [left, right].find((one) => "field" in one);
    if (text === undefined || field === undefined || !("field" in field)) return [];
    const known = requirementOf(field, step, steps);
    return known === undefined || allowedValues(known) !== undefined ? [] : [{ field: field.field, source }];
  });
}

/** The fields that conditions read although they may be left out. */
export function optionalReads(
  steps: readonly RoutedStep[],
): readonly { readonly said: string; readonly source: Source }[] {
  return writtenTests(steps).flatMap(({ left, right, source, step }) =>
    [left, right].flatMap(partsOf).flatMap((one) => {
      const known = "field" in one || "lengthOf" in one ? requirementOf(one, step, steps) : undefined;
      return known === undefined || known.required ? [] : [{ said: operandText(one), source }];
    }),
  );
}

type WrittenTest = ConditionTest & { readonly source: Source; readonly step: RoutedStep };

/** The comparisons of all conditions, each with its place in the file and its step. */
function writtenTests(steps: readonly RoutedStep[]): readonly WrittenTest[] {
  return steps.flatMap((step) => {
    const { when, approvalWhen, routes = [], source: place } = step.routing ?? {};
    const own = [when, approvalWhen].map((condition) => ({ condition, source: place }));
    return [...own, ...routes.map((route) => ({ condition: route.when, source: route.source ?? place }))].flatMap(
      ({ condition, source }) =>
        condition === undefined || source === undefined
          ? []
          : testsOf(condition).map((test) => ({ ...test, source, step })),
    );
  });
}

function requirementOf(
  operand: { readonly step?: string } & ({ readonly field: string } | { readonly lengthOf: string }),
  own: RoutedStep,
  steps: readonly RoutedStep[],
): Requirement | undefined {
  const { gate } = operand.step === undefined ? own : (steps.find(({ name }) => name === operand.step) ?? {});
  const field = "field" in operand ? operand.field : operand.lengthOf;
  return gate?.requirements.find((one) => one.field === field);
}
