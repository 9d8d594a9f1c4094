import type { StreamId } from "../workflow/stream-id.ts";

type Kind = Pick<StreamId, "kind">;
type NamedStep = { readonly workflow: string; readonly step: string; readonly title?: string | undefined };

/** Names a step by itself: `gather_context`, `Phase 5`, `Phase 5: Coverage plan`. */
export function stepTitle({ kind }: Kind, { step, title }: Omit<NamedStep, "workflow">): string {
  if (kind === "bot") return step;
  return title === undefined ? `Phase ${step}` : `Phase ${step}: ${title}`;
}

/** Names a step within its stream: `shape · gather_context`, `Phase 5: Coverage plan`. */
export function stepLabel({ kind }: Kind, step: NamedStep): string {
  return kind === "bot" ? `${step.workflow} · ${step.step}` : stepTitle({ kind }, step);
}

/** Names a workflow of one stream as commands take it: `<bot>.<behavior>`, or a session's id. */
export function runLabel({ kind, name }: StreamId, workflow: string): string {
  return kind === "session" ? name : `${name}.${workflow}`;
}

/** Names a workflow over all its streams: `<bot>.<behavior>`, or the type of the sessions. */
export function workflowLabel({ kind, name }: StreamId, workflow: string): string {
  return kind === "session" ? workflow : `${name}.${workflow}`;
}

/** The fields of a log row that name its session or run. */
export function streamFields({ kind, name, run }: StreamId): { readonly session?: string; readonly run?: string } {
  if (kind === "session") return { session: name };
  return run === undefined ? {} : { run };
}
