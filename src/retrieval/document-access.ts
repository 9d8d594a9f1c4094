import type { SearchOptions, StandardDocument } from "../engine/ports/search.ts";
import type { Ownership } from "./chunks/document-head.ts";

/** A document with the facts that access rules need. */
export type DescribedDocument = {
  readonly document: StandardDocument;
  /** True if its owner is unclear. */
  readonly isClosed: boolean;
};

/** Describes a document for access rules. */
export function describeDocument(file: string, tags: readonly string[], belongs: Ownership): DescribedDocument {
  const { workflow, phases } = belongs.kind === "owned" ? belongs : { workflow: undefined, phases: [] };
  return { document: { file, tags, workflow, phases }, isClosed: belongs.kind === "unclear" };
}

/** Decides if a search may use a document: never with an unclear owner, and with an owner only if `mayShow` agrees. */
export function isVisible({ document, isClosed }: DescribedDocument, { mayShow = isOpen }: SearchOptions): boolean {
  return !isClosed && mayShow(document);
}

/** True if a visible document matches the caller's phase and tags. */
export function matchesFilter({ document }: DescribedDocument, { phase, tags }: SearchOptions): boolean {
  if (phase !== undefined && !document.phases.includes(phase)) return false;
  return !tags || tags.length === 0 || tags.some((tag) => document.tags.includes(tag.trim().toLowerCase()));
}

function isOpen({ workflow, phases }: StandardDocument): boolean {
  return workflow === undefined && phases.length === 0;
}
