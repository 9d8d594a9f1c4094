import type { Gate } from "./gate.ts";

/**
 * Sequences whose checks never read what another of them leaves behind: reports, and what Waymark writes for people (`written`, as
 * globs). The proof of one would not hold any more as soon as another is run.
 */
export function withNeverRead<S extends { readonly gate?: Gate }, W extends { readonly steps: readonly S[] }>(
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
