/** Names a step as the published files do: `<bot>.<workflow>.<step>`, or a workflow where no step is given. */
export function stepPath(bot: string, workflow: string, step = ""): string {
  const behavior = workflow === "" || bot === "" ? `${bot}${workflow}` : `${bot}.${workflow}`;
  return step === "" || behavior === "" ? `${behavior}${step}` : `${behavior}.${step}`;
}
