import type { Tool } from "@modelcontextprotocol/server";
import type { WorkflowListing } from "../engine/ports/phased.ts";
import type { Sessions } from "../engine/sessions.ts";
import { clip } from "./fit.ts";
import { checks, kept, saved } from "./tool-catalog.ts";

/** The tools for phased workflows; none if there is neither a workflow nor a session, since sessions continue without their files. */
export async function listPhaseTools({
  workflows: list,
  hasAny,
}: Pick<Sessions, "workflows" | "hasAny">): Promise<Tool[]> {
  const workflows = await list();
  if (workflows.length === 0 && !(await hasAny())) return [];
  return [
    { ...startTool(workflows), _meta: { "anthropic/alwaysLoad": true } },
    tool(
      "get_phase_content",
      "Read a phase",
      "Read the current phase of a session, a completed one, or one of its tasks.",
      {
        properties: { session_id: text, requested_phase: integer, task: integer },
        required: ["session_id"],
      },
    ),
    tool(
      "complete_phase",
      "Complete a phase",
      "Submit the evidence that the phase's checkpoint asks for. Passed: replies with the next phase. If it can't be done as asked, say why in blocked; never invent evidence or a person's confirmation.",
      {
        properties: {
          session_id: text,
          phase: integer,
          evidence: object,
          outputs: object,
          content: contentItems,
          confirmation: { ...text, description: "The human's own words" },
          blocked: text,
        },
        required: ["session_id", "phase"],
      },
    ),
    tool(
      "get_workflow_state",
      "See a session",
      "See the state of a session; without session_id, of all. With phase: everything that phase produced.",
      {
        properties: { session_id: text, phase: integer, page: integer },
        required: [],
      },
    ),
  ];
}

function startTool(workflows: readonly WorkflowListing[]): Tool {
  const offered = workflows
    .slice(0, 12)
    .map(({ type, title, description }) => clip(`${type}: ${description === "" ? title : description}`, 110));
  const rest = workflows.length > 12 ? [`and ${workflows.length - 12} more`] : [];
  const list =
    workflows.length === 0
      ? "No workflow is defined here now; get_workflow_state lists the sessions."
      : `Workflows: ${[...offered, ...rest].join("; ")}`;
  return tool(
    "start_workflow",
    "Start or resume a workflow",
    `Start a phased workflow, or resume it for the same target. ${list}`,
    {
      properties: { workflow_type: text, target_file: text, options: object },
      required: ["workflow_type"],
    },
  );
}

const text = { type: "string" } as const;
const integer = { type: "integer" } as const;
const object = { type: "object" } as const;
const contentItems = {
  type: "array",
  items: { type: "object", properties: { path: text, text }, required: ["path"], additionalProperties: false },
} as const;

function tool(name: string, title: string, description: string, input: Omit<Tool["inputSchema"], "type">): Tool {
  const isReading = name === "get_workflow_state";
  return {
    name,
    title,
    description,
    inputSchema: { type: "object", ...input, additionalProperties: false },
    outputSchema,
    annotations: {
      readOnlyHint: isReading,
      destructiveHint: false,
      idempotentHint: name.startsWith("get_"),
      openWorldHint: false,
    },
  };
}

const phaseContent = {
  type: "object",
  properties: {
    content: text,
    sources: { type: "array", items: text },
    total_tokens: integer,
    tasks: { type: "array", items: object },
  },
  required: ["content", "sources", "total_tokens"],
  additionalProperties: false,
};

const outputSchema: NonNullable<Tool["outputSchema"]> = {
  type: "object",
  properties: {
    session_id: text,
    workflow_type: text,
    target_file: { type: ["string", "null"] },
    options: object,
    resumed: { type: "boolean" },
    current_phase: integer,
    total_phases: integer,
    phase_number: integer,
    phase_content: phaseContent,
    checkpoint_criteria: object,
    artifacts_from_previous: object,
    checkpoint_passed: { type: "boolean" },
    phase_completed: integer,
    next_phase: integer,
    next_phase_content: phaseContent,
    artifacts_available: object,
    artifacts_resource: text,
    workflow_complete: { type: "boolean" },
    completed_phases: { type: "array", items: integer },
    phase_artifacts: object,
    page: integer,
    total_pages: integer,
    next_page: integer,
    page_text: text,
    checkpoints: object,
    created_at: text,
    updated_at: text,
    archived: { type: "boolean" },
    sessions: { type: "array", items: object },
    error: text,
    violation_type: text,
    message: text,
    reason: text,
    required_action: text,
    missing_evidence: { type: "array", items: text },
    required_format: object,
    examples: object,
    current_phase_content: phaseContent,
    progress: object,
    kept,
    saved,
    checks,
    stale: { type: "array", items: object },
    status: text,
    waiting_since: text,
    next_step: text,
    warnings: { type: "array", items: text },
  },
  required: ["warnings"],
  additionalProperties: false,
};
