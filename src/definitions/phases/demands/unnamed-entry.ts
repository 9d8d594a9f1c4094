import { joinLines, type Line } from "../markdown/lines.ts";
import { typeOfName } from "../words/type-words.ts";
import { checkboxDemands } from "./checkboxes.ts";
import type { Demands } from "./demand.ts";

/**
 * An entry of a list of evidence that names no field is one by its text, as a checkbox is, unless it only talks.
 * "Function count" and "Command output" tell their type; anything else is a yes.
 */
export function withEntry(read: Demands, lines: readonly Line[]): Demands {
  const { text } = joinLines(lines);
  if (read.nameless.length === 0 || read.demands.length > 0 || isTalk(text)) return read;
  const entry = checkboxDemands(lines, true);
  const isShort = text.trim().split(/\s+/).length <= 4;
  return {
    ...entry,
    demands: entry.demands.map((demand) => {
      const type = isShort ? typeOfName(demand.field) : undefined;
      return type === undefined ? demand : { ...demand, type, certainty: "read" };
    }),
  };
}

function isTalk(text: string): boolean {
  return (
    /^\W*(?:see|note|e\.g|for example|none|n\/a|yes|no|optional|todo|tbd|if|when|this|these|that|it|they|you|we|please|make sure|do not|don't|the following)\b/i.test(
      text,
    ) ||
    text.split(/\s+/).length > 12 ||
    /[.!?:]\s+\S|[:?]\s*$/.test(text)
  );
}
