import type { Check } from "./check.ts";
import type { Gate } from "./gate.ts";

/**
 * Adds to each gate the checks of earlier steps that must hold on the current files; an unknown name closes the gate, since nothing could
 * check it.
 */
export function withFresh<S extends { readonly gate?: Gate }>(steps: readonly S[]): S[] {
  const earlier = new Map<string, Check>();
  return steps.map((step) => {
    const { gate } = step;
    const wanted = gate?.fresh ?? [];
    const unknown = wanted.find((name) => !earlier.has(name));
    const again = wanted.flatMap((name) => earlier.get(name) ?? []);
    for (const check of gate?.checks ?? []) earlier.set(check.name, check);
    if (gate === undefined || wanted.length === 0) return step;
    if (unknown !== undefined && gate.closed === undefined)
      return { ...step, gate: { ...gate, closed: notThere(unknown, gate) } };
    const own = (gate.checks ?? []).filter(({ name }) => !wanted.includes(name));
    return { ...step, gate: { ...gate, checks: [...own, ...again] } };
  });
}

function notThere(name: string, { freshSource }: Gate) {
  const { file = "gate-definition.yaml", line = 1 } = freshSource ?? {};
  const message = `fresh names the check ${name}, which no earlier gate has`;
  return { code: "gate-wrong-value", file, line, message, fix: "Name a check of an earlier step." };
}

/**
 * Makes checks ignore what others write: reports, and Waymark's files for people (`written`, as globs); otherwise running one check would
 * make another's proof stale.
 */
export function ignoreOthersOutput<S extends { readonly gate?: Gate }, W extends { readonly steps: readonly S[] }>(
  workflows: readonly W[],
  written: readonly string[],
): W[] {
  const checks = workflows.flatMap(({ steps }) => steps.flatMap(({ gate }) => gate?.checks ?? []));
  const reports = checks.flatMap((check) =>
    check.kind === "command" ? check.reports.map(({ path }) => path.replace(/^(?:\.\/)+/, "")) : [],
  );
  const never = [...new Set([...reports, ...written])];
  if (checks.length === 0 || never.length === 0) return [...workflows];
  const reading = (gate: Gate): Gate =>
    gate.checks === undefined
      ? gate
      : { ...gate, checks: gate.checks.map((check) => (check.kind === "command" ? { ...check, never } : check)) };
  return workflows.map((workflow) => ({
    ...workflow,
    steps: workflow.steps.map((step) => (step.gate === undefined ? step : { ...step, gate: reading(step.gate) })),
  }));
}
