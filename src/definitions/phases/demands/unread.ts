import { kindOfContext } from "../markdown/context-kind.ts";
import type { Block } from "../markdown/document-blocks.ts";
import { joinLines } from "../markdown/text-lines.ts";
import { approvalOf } from "./approvals.ts";
import { boxName, itemDemands } from "./boxes.ts";
import { type Demands, isAsking, nameless, noDemands } from "./demand.ts";
import { plain, sentenceDemands } from "./sentences.ts";
import { tableDemands } from "./tables.ts";

/** What is said of a box where nothing reads it: one that names a field and what that must be was meant for a gate. */
export function unreadBox(block: Block): Demands {
  if (block.kind !== "item" || !block.box || kindOfContext(block.place) === "example") return noDemands;
  const whole = joinLines(block.lines);
  if (boxName(whole)?.isCode !== true) return noDemands;
  const { demands, unclear } = itemDemands(block);
  const isMeant = unclear.length > 0 || demands.some(({ type, rules }) => type !== "boolean" || rules.length > 0);
  return isMeant ? nameless(whole.line, `"${whole.text.trim()}" ${outside}`) : noDemands;
}

const outside = "is outside the gate and is not required; move it under the gate heading";

/** The lines before the first phase that would ask for a field or a person inside one. */
export function askedBefore(blocks: readonly Block[]): number[] {
  const { asked } = approvalOf(blocks);
  const lines = blocks.flatMap((block): number[] => {
    if (kindOfContext(block.place) === "example") return [];
    if (block.kind === "table")
      return tableDemands(block.table, "nothing") === undefined ? [] : [block.table.position?.start.line ?? 1];
    if (block.kind !== "text" && block.kind !== "item") return [];
    const { demands, unclear } = sentenceDemands(block.lines, plain, block.kind === "item");
    return demands.length + unclear.length > 0 || isAsking(unreadBox(block)) ? [joinLines(block.lines).line] : [];
  });
  return [...new Set([...(asked === undefined ? [] : [asked.line]), ...lines])].sort((a, b) => a - b);
}
