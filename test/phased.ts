import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Project, projectAt } from "./project.ts";
import { removeFolder } from "./temporary.ts";
import { hangs, type Window } from "./window.ts";

type Content = { content: string; sources: string[]; total_tokens: number; tasks?: { task: number; name: string }[] };

/** What the tools for phased workflows answer, as far as tests read it. */
export type PhaseResult = {
  isError: boolean;
  text: string;
  session_id: string;
  resumed?: boolean;
  current_phase: number;
  attempt?: string;
  total_phases: number;
  phase_number?: number;
  phase_content?: Content;
  checkpoint_criteria?: { required_evidence: Record<string, { type: string; rule?: string }> };
  artifacts_from_previous?: Record<string, Record<string, unknown>>;
  artifacts_available?: Record<string, Record<string, unknown>>;
  artifacts_resource?: string;
  phase_artifacts?: Record<string, Record<string, unknown>>;
  checkpoint_passed?: boolean;
  phase_completed?: number;
  next_phase?: number;
  next_phase_content?: Content;
  workflow_complete?: boolean;
  completed_phases?: number[];
  sessions?: { session_id: string; workflow_complete: boolean; archived?: boolean }[];
  error?: string;
  violation_type?: string;
  message?: string;
  reason?: string;
  required_action?: string;
  missing_evidence?: string[];
  required_format?: Record<string, { type: string }>;
  examples?: Record<string, unknown>;
  current_phase_content?: Content;
  progress?: { completed: number[]; current: number; total: number };
  warnings: string[];
};

/** Calls a tool for phased workflows. */
export async function callPhase(
  { client }: Pick<Window, "client">,
  name: string,
  args: Record<string, unknown> = {},
): Promise<PhaseResult> {
  const result = await client.callTool({ name, arguments: args }, { timeout: hangs });
  const [first] = result.content;
  const text = first?.type === "text" ? first.text : "";
  return { ...(result.structuredContent as PhaseResult), isError: result.isError === true, text };
}

/** A word that stands in one phase and nowhere else. */
export const sentinel = (phase: number): string => `Zanzibar${phase}Quux`;

/** An empty project of its own for one test; on another file system than the others, where that is the point and one can be had. */
export function emptyProject({ isFar = false } = {}): Project {
  const elsewhere = tmpdir().startsWith("/dev/shm") ? "/tmp" : "/dev/shm";
  const folder = isFar && existsSync(elsewhere) ? elsewhere : tmpdir();
  const root = mkdtempSync(join(folder, "waymark-phased-"));
  onTestFinished(() => removeFolder(root));
  return projectAt(root);
}

export type PlantOptions = {
  readonly type?: string;
  readonly phases?: number;
  readonly first?: number;
  /** Numbers of the phases whose gate asks for a person's approval. */
  readonly approval?: readonly number[];
};

/** A project with one phased workflow, in folders, every part of each phase marked with its sentinel. */
export function plantWorkflow(options: PlantOptions = {}): Project {
  const project = emptyProject();
  addWorkflow(project, options);
  return project;
}

/** Adds a workflow to a project. */
export function addWorkflow(project: Project, options: PlantOptions = {}): void {
  const { type = "survey", phases = 8, first = 1, approval = [] } = options;
  const folder = `.waymark/workflows/${type}`;
  project.write(`${folder}/metadata.json`, {
    name: type,
    description: "Looks at a file from all sides",
    total_phases: phases,
  });
  for (let number = first; number < first + phases; number++) {
    const word = sentinel(number);
    const place = `${folder}/phases/${number}`;
    project.write(
      `${place}/phase.md`,
      `# Phase ${number}: ${word} title\n\nDo the ${word} work.\n\n## Evidence example\n\n\`\`\`json\n{ "${fieldOf(number)}": ${number} }\n\`\`\`\n`,
    );
    project.write(`${place}/task-1-look.md`, `# Task 1: ${word} task\n\nLook at ${word}.\n`);
    project.write(
      `${place}/gate-definition.yaml`,
      `evidence_schema:\n  ${fieldOf(number)}:\n    type: integer\n    required: true\n    description: the ${word} count\n    validator: greater_than_0\n${approval.includes(number) ? "approval: required\n" : ""}`,
    );
  }
}

/** The field that a planted phase asks for. */
export function fieldOf(phase: number): string {
  return `${sentinel(phase).toLowerCase()}_count`;
}

/** Evidence that passes a planted phase. */
export function evidenceFor(phase: number): Record<string, number> {
  return { [fieldOf(phase)]: 1 };
}
