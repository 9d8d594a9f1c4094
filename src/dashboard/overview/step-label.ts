import type { StreamId } from "../../workflow/stream-id.ts";

/** A step as people read it; a phase ahead is known only by its number. */
export function stepLabel(
  kind: StreamId["kind"],
  { workflow, step, title }: { readonly workflow: string; readonly step: string; readonly title?: string | undefined },
): string {
  if (kind === "bot") return `${workflow} · ${step}`;
  return title === undefined ? `Phase ${step}` : `Phase ${step}: ${title}`;
}
