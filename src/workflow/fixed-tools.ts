/** The tools whose names never change; bots have their own beside them. */
export const fixedTools = [
  "complete_action",
  "start_workflow",
  "get_phase_content",
  "complete_phase",
  "get_workflow_state",
  "search_standards",
] as const;

/** The name of such a tool. */
export type FixedTool = (typeof fixedTools)[number];

/** Tells if a name is one of them. */
export function isFixedTool(name: string): name is FixedTool {
  return fixedTools.some((tool) => tool === name);
}

/** The tool that completes an action. */
export const completeTool = "complete_action" satisfies FixedTool;
