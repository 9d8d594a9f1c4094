/** Names a step as the published files do: `<bot>.<workflow>.<step>`, or a workflow where no step is given. */
export function stepPath(bot: string, workflow: string, step?: string): string {
  return [bot, workflow, step].filter((part) => part !== undefined && part !== "").join(".");
}
