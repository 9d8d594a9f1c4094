import type { Block } from "./blocks.ts";
import { kindOfPlace } from "./places.ts";

/** What stands in a phase that looks as if it asked for something: where, under which heading, and what it is. */
export type UnreadPlace = { readonly line: number; readonly what: string };

/** Finds what a phase that asks for nothing may have been meant to ask for: its last checkboxes, else a table, else a list. */
export function unreadPlace(blocks: readonly Block[]): UnreadPlace | undefined {
  const own = blocks.filter(({ place }) => kindOfPlace(place) !== "example");
  const found = (["checkboxes", "table", "list"] as const)
    .map((kind) => ({ kind, block: own.findLast((block) => kindOf(block) === kind) }))
    .find(({ block }) => block !== undefined);
  if (found?.block === undefined) return undefined;
  const { label, headings } = found.block.place;
  const under = label || (headings.at(-1) ?? "");
  // All of them, from the first on that stands in the same place.
  const first = own.find(
    (block) => kindOf(block) === found.kind && block.place.label === label && isSame(block.place.headings, headings),
  );
  return {
    line: lineOf(first ?? found.block),
    what: under === "" ? `the ${found.kind}` : `the ${found.kind} under "${under.trim().split(":")[0]}"`,
  };
}

function kindOf(block: Block): string {
  if (block.kind === "item") return block.box ? "checkboxes" : "list";
  return block.kind;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

function lineOf(block: Block): number {
  if (block.kind === "item") return block.lines[0]?.line ?? 1;
  return block.kind === "table" ? (block.table.position?.start.line ?? 1) : 1;
}
