import type { Gate } from "./gate.ts";

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
