import type { Workplace } from "../engine/workplace.ts";
import { completeTool } from "../workflow/fixed-tools.ts";
import { clip } from "./fit.ts";

/** The instructions a host gives the model before any tool call: how to begin, and what not to do. */
export async function serverInstructions(workplace: Workplace): Promise<string> {
  const tools = (await workplace.bots()).bots.map(({ tool }) => tool);
  const types = (await workplace.sessions.workflows()).map(({ type }) => type);
  if (tools.length === 0 && types.length === 0)
    return "Waymark has no bots or workflows here yet: .waymark/ contains none that can be served.";
  if (types.length === 0) {
    return `Waymark guides you through this project's process step by step. Call ${tools.join(", ")} to begin or resume: it opens the current action. Do that work, then call ${completeTool}, and follow next. Later actions are refused until earlier ones are done. On status interrupted or awaiting_human, ask the person; never answer for them. Tell them every warning.`;
  }
  const walk =
    tools.length === 0 ? "" : ` Call ${clip(tools.join(", "), 60)} for the current action, then ${completeTool}.`;
  return `Waymark guides you through this project's process step by step.${walk} For ${clip(types.join(", "), 80)}: start_workflow, do the phase, complete_phase with real evidence. Later steps are refused until earlier ones are done. Where a person must decide, ask them; never answer for them or invent evidence. Tell them every warning.`;
}
