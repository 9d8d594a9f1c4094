import type { Belonging } from "./chunks/front-matter.ts";
import type { SearchOptions, StandardDocument } from "./ports.ts";

/** A document as the rules about who may see it know it. */
export type Described = {
  readonly document: StandardDocument;
  /** True where it cannot be told whose it is. */
  readonly isClosed: boolean;
};

/** Describes a document for the rules. */
export function describe(file: string, tags: readonly string[], belongs: Belonging): Described {
  const { workflow, phases } = belongs.kind === "owned" ? belongs : { workflow: undefined, phases: [] };
  return { document: { file, tags, workflow, phases }, isClosed: belongs.kind === "unclear" };
}

/** The one place that decides whether a search may use a document at all: what cannot be told whose it is, is nobody's; what is owned needs the caller's word. */
export function isVisible({ document, isClosed }: Described, { mayShow = isOpen }: SearchOptions): boolean {
  return !isClosed && mayShow(document);
}

/** Whether a visible document is among those that the caller asked for. */
export function isWanted({ document }: Described, { phase, tags }: SearchOptions): boolean {
  if (phase !== undefined && !document.phases.includes(phase)) return false;
  return !tags || tags.length === 0 || tags.some((tag) => document.tags.includes(tag.trim().toLowerCase()));
}

function isOpen({ workflow, phases }: StandardDocument): boolean {
  return workflow === undefined && phases.length === 0;
}
