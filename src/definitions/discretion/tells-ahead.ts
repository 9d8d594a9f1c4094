import { join } from "node:path";
import { readText } from "../json-file.ts";
import type { Complaint } from "../phases/complaint.ts";
import type { Phase } from "../phases/phased-workflow.ts";

/** Finds where a phase or one of its tasks names a later phase. */
export function tellsAhead(phases: readonly Phase[], definitions: string): Complaint[] {
  return phases.flatMap(({ number, content, sources, tasks }, index) => {
    const later = phases.slice(index + 1).filter(({ name }) => isTelling(name));
    const texts = [
      // Of several files each has its own text: phase.md, and the documents that it names.
      ...sources.map((source) => ({
        content: sources.length > 1 ? (readText(join(definitions, source)) ?? "").replaceAll(/\r\n?/g, "\n") : content,
        source,
      })),
      ...tasks.filter(({ source }) => !sources.includes(source)),
    ];
    return texts.flatMap((text) => later.flatMap((phase) => found(text, number, phase, definitions)));
  });
}

/** One common word is no name: "plan" and "review" stand in any text. */
function isTelling(name: string): boolean {
  return name.trim().split(/\s+/).length > 1 && name.length > 7;
}

function found(
  { content, source }: { readonly content: string; readonly source: string },
  number: number,
  later: Phase,
  definitions: string,
): Complaint[] {
  const words = later.name
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const at = new RegExp(`(?<![\\p{L}\\p{N}])${words.join("\\s+")}(?![\\p{L}\\p{N}])`, "iu").exec(content)?.index;
  if (at === undefined) return [];
  const path = join(definitions, source);
  const whole = (readText(path) ?? "").replaceAll(/\r\n?/g, "\n");
  const start = Math.max(0, whole.indexOf(content));
  return [
    {
      code: "tells-ahead",
      path,
      line: whole.slice(0, start + at).split("\n").length,
      message: `phase ${number} names phase ${later.number} before its time`,
      fix: "Speak of what comes next without its name, or not at all.",
      closes: false,
    },
  ];
}
