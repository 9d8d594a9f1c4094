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
