import type { Block, Place } from "../markdown/blocks.ts";
import { askingAt } from "../markdown/gate-places.ts";
import { mayBeGate } from "../markdown/gate-words.ts";
import type { Unclear } from "./demand.ts";

/**
 * Takes headings such as "Validation" and "Checklist" for a gate's where a phase has no other gate heading.
 * Where it has one, the checkboxes under them ask for nothing, and their author is told.
 */
export function withPlainGates(blocks: readonly Block[]): {
  readonly blocks: readonly Block[];
  readonly idle: readonly Unclear[];
} {
  const first = blocks.find((block) => block.kind === "heading");
  const title = first?.kind === "heading" && first.depth === 1 ? first.line.text : undefined;
  const isGate = (heading: string, index: number): boolean => mayBeGate(heading) && !(index === 0 && heading === title);
  const isPlain = ({ headings, label, inTask }: Place): boolean =>
    !inTask && (headings.some(isGate) || mayBeGate(label));
  const hasGate = blocks.some(({ place }) => !place.inTask && askingAt(place) !== "nothing");
  if (hasGate)
    return {
      blocks,
      idle: blocks.flatMap((block) =>
        block.kind === "item" && block.box && isPlain(block.place) && askingAt(block.place) === "nothing"
          ? [{ line: block.lines[0]?.line ?? 1, message: "the checkbox stands under another heading than the gate's" }]
          : [],
      ),
    };
  const asGate = (text: string): string => (mayBeGate(text) ? `${text.replace(/\s*:\s*$/, "")} gate` : text);
  const raised = (place: Place): Place => ({
    ...place,
    headings: place.headings.map((heading, index) => (isGate(heading, index) ? asGate(heading) : heading)),
    label: asGate(place.label),
  });
  return {
    blocks: blocks.map((block) => (isPlain(block.place) ? { ...block, place: raised(block.place) } : block)),
    idle: [],
  };
}
