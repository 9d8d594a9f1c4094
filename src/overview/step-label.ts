import type { DeskId } from "../engine/ports.ts";

/** A step as people read it. Of a phase whose turn has not come only the number is known. */
export function stepLabel(
  kind: DeskId["kind"],
  { workflow, step, title }: { readonly workflow: string; readonly step: string; readonly title?: string | undefined },
): string {
  if (kind === "bot") return `${workflow} · ${step}`;
  return title === undefined ? `Phase ${step}` : `Phase ${step}: ${title}`;
}
