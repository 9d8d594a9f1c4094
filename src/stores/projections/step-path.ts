/** Names a step as the published files do: `<bot>.<workflow>.<step>`, or a workflow where no step is given. */
export function stepPath(bot: string, workflow: string, step = ""): string {
  const behavior = workflow === "" || bot === "" ? `${bot}${workflow}` : `${bot}.${workflow}`;
  return step === "" || behavior === "" ? `${behavior}${step}` : `${behavior}.${step}`;
}

/** Names steps as JSON text. A history names the same few again and again, so that each is written once. */
export function quotedPaths(bot: string): (workflow: string, step?: string) => string {
  const known = new Map<string, Map<string, string>>();
  return (workflow, step = "") => {
    const steps = known.get(workflow) ?? new Map<string, string>();
    const path = steps.get(step) ?? JSON.stringify(stepPath(bot, workflow, step));
    if (!steps.has(step)) known.set(workflow, steps.set(step, path));
    return path;
  };
}
