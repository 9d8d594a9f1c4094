/** The path of a step in published files: `<bot>.<workflow>.<step>`, or a workflow without a step. */
export function stepPath(bot: string, workflow: string, step = ""): string {
  const behavior = workflow === "" || bot === "" ? `${bot}${workflow}` : `${bot}.${workflow}`;
  return step === "" || behavior === "" ? `${behavior}${step}` : `${behavior}.${step}`;
}

/** Caches step paths as JSON text, since a history repeats the same few. */
export function quotedPaths(bot: string): (workflow: string, step?: string) => string {
  const known = new Map<string, Map<string, string>>();
  return (workflow, step = "") => {
    const steps = known.get(workflow) ?? new Map<string, string>();
    const path = steps.get(step) ?? JSON.stringify(stepPath(bot, workflow, step));
    if (!steps.has(step)) known.set(workflow, steps.set(step, path));
    return path;
  };
}
