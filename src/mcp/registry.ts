import type { Tool } from "@modelcontextprotocol/server";
import type { ServedBot } from "../engine/ports/definitions.ts";
import type { WorkflowListing } from "../engine/ports/phased.ts";
import type { Workplace } from "../engine/workplace.ts";
import type { FixedTool } from "../workflow/fixed-tools.ts";
import { botReplies, completeAction, findOpening, showOpenings, unknownTool } from "./bot-tools.ts";
import { completePhase, getPhaseContent, getWorkflowState, phaseReplies, startWorkflow } from "./phase-tools.ts";
import { searchReplies, searchStandards } from "./search-tool.ts";
import type { RegisteredTool, ToolFamily } from "./tool.ts";

/** The tools with fixed names, in the order in which clients see them. */
const fixed: Readonly<Record<FixedTool, RegisteredTool>> = {
  complete_action: completeAction,
  start_workflow: startWorkflow,
  get_phase_content: getPhaseContent,
  complete_phase: completePhase,
  get_workflow_state: getWorkflowState,
  search_standards: searchStandards,
};

/** The tools of the served bots: one for each bot and behavior, and one to complete. */
export function listBotTools(bots: readonly ServedBot[]): Tool[] {
  return bots.length === 0 ? [] : [...showOpenings(bots), ...listFamily(botReplies)];
}

/**
 * Lists every tool. Those of phases are listed if there is a workflow, or a session, since sessions continue without their
 * files; search, if there is something to find.
 */
export async function listTools({
  bots,
  sessions,
  standards,
}: Pick<Workplace, "bots" | "standards"> & {
  readonly sessions: Pick<Workplace["sessions"], "workflows" | "hasAny">;
}): Promise<Tool[]> {
  const served = (await bots()).bots;
  const workflows = await sessions.workflows();
  const hasPhases = workflows.length > 0 || (await sessions.hasAny());
  return [
    ...listBotTools(served),
    ...(hasPhases ? listFamily(phaseReplies, workflows) : []),
    ...((await standards.isThere()) ? listFamily(searchReplies) : []),
  ];
}

function listFamily(family: ToolFamily, workflows: readonly WorkflowListing[] = []): Tool[] {
  return Object.entries(fixed).flatMap(([name, tool]) => (tool.family === family ? [tool.show(name, workflows)] : []));
}

/** Finds the tool that a call names; one that does not exist refuses the call. */
export async function toolNamed(name: string, workplace: Pick<Workplace, "bots">): Promise<RegisteredTool> {
  return isFixed(name) ? fixed[name] : (findOpening((await workplace.bots()).bots, name) ?? unknownTool(name));
}

/** The family of a tool, by its name alone. */
export function familyOf(name: string): ToolFamily {
  return isFixed(name) ? fixed[name].family : botReplies;
}

/** Tells if a tool only reads. */
export function onlyReads(name: string): boolean {
  return isFixed(name) && fixed[name].use === "read";
}

function isFixed(name: string): name is FixedTool {
  return Object.hasOwn(fixed, name);
}
