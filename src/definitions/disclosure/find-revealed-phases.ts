import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { readText } from "../files/json-file.ts";
import type { Phase } from "../phases/phased-workflow.ts";
import type { WorkflowProblem } from "../phases/workflow-problem.ts";

/** Finds phases and tasks that name a later phase. */
export function findRevealedPhases(definitions: DefinitionSnapshot, phases: readonly Phase[]): WorkflowProblem[] {
  return phases.flatMap(({ number, content, sources, tasks }, index) => {
    const later = phases.slice(index + 1).filter(({ name }) => isRevealing(name));
    const texts = [
      // With several files each has its own text: phase.md and the documents it links to.
      ...sources.map((source) => ({
        content:
          sources.length > 1
            ? (readText(definitions, join(definitions.folder, source)) ?? "").replaceAll(/\r\n?/g, "\n")
            : content,
        source,
      })),
      ...tasks.filter(({ source }) => !sources.includes(source)),
    ];
    return texts.flatMap((text) => later.flatMap((phase) => revealedPhase(definitions, text, number, phase)));
  });
}

/** True for a name that reveals something; single common words such as "plan" do not. */
function isRevealing(name: string): boolean {
  return name.trim().split(/\s+/).length > 1 && name.length > 7;
}

function revealedPhase(
  definitions: DefinitionSnapshot,
  { content, source }: { readonly content: string; readonly source: string },
  number: number,
  later: Phase,
): WorkflowProblem[] {
  const words = later.name
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const at = new RegExp(`(?<![\\p{L}\\p{N}])${words.join("\\s+")}(?![\\p{L}\\p{N}])`, "iu").exec(content)?.index;
  if (at === undefined) return [];
  const path = join(definitions.folder, source);
  const whole = (readText(definitions, path) ?? "").replaceAll(/\r\n?/g, "\n");
  const start = Math.max(0, whole.indexOf(content));
  return [
    {
      code: "tells-ahead",
      path,
      line: whole.slice(0, start + at).split("\n").length,
      message: `phase ${number} names phase ${later.number} too early`,
      fix: "Do not name the later phase here.",
      closes: false,
    },
  ];
}
