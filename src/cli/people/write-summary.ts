import { appendFileSync } from "node:fs";
import { bestWalk } from "../../audit/required-walks.ts";
import { countText } from "../../kit/count-text.ts";
import { oneLine } from "../../kit/one-line.ts";
import type { RequireVerdict } from "./require.ts";

/** Appends a verdict to a file as Markdown: a picture of the run, then what is verified and what is claimed. */
export function writeSummary(file: string, verdict: RequireVerdict, broken: readonly string[]): void {
  const { workflow, met, problems, walks, base } = verdict;
  const walk = bestWalk(walks);
  const isMet = met && broken.length === 0;
  const steps = walk?.steps ?? [];
  const listed = (title: string, texts: readonly string[]): readonly string[] =>
    texts.length === 0 ? [] : [`**${title}**`, "", ...texts.map((text) => `- ${quoted(text)}`), ""];
  const lines = [
    `## ${isMet ? "✅" : "❌"} ${quoted(workflow)} ${isMet ? "was walked as defined" : "was not walked as defined"}`,
    "",
    ...(steps.length === 0 ? [] : [...pictureOf(steps), ""]),
    ...listed("Problems", [...new Set([...problems, ...broken])]),
    ...steps.flatMap(({ step, status, proved, claimed }) => [
      `**${quoted(step)}**: ${status}`,
      "",
      ...proved.map((text) => `- verified: ${quoted(text)}`),
      ...claimed.map((text) => `- claimed: ${quoted(text)}`),
      "",
    ]),
    ...listed("Notes", [...(walk?.notes ?? []), ...(base?.notes ?? [])]),
    ...(base === undefined ? [] : [`Compared with the base ${quoted(base.ref)}.`, ""]),
  ];
  appendFileSync(file, `${lines.join("\n")}\n`);
}

type Steps = RequireVerdict["walks"][number]["steps"];

/** Draws the steps as a Mermaid flowchart, which GitHub shows in a job summary. */
function pictureOf(steps: Steps): readonly string[] {
  const plain = (text: string): string => oneLine(text, 60).replaceAll(/[^\p{L}\p{N} ._-]/gu, "_");
  return [
    "```mermaid",
    "flowchart LR",
    ...steps.map(({ step, status, proved, claimed }, at) => {
      const counts = status === "completed" ? `${proved.length} verified, ${claimed.length} claimed` : status;
      return `  s${at}["${plain(step)}<br/>${counts}"]:::${status}`;
    }),
    ...(steps.length < 2 ? [] : [`  ${steps.map((_, at) => `s${at}`).join(" --> ")}`]),
    "  classDef completed fill:#dafbe1,stroke:#1a7f37,color:#000",
    "  classDef missing fill:#ffebe9,stroke:#cf222e,color:#000",
    "```",
    "",
    `${countText(steps.filter(({ status }) => status === "completed").length, "step")} of ${steps.length} completed.`,
  ];
}

/** A text as code, so that nothing in it is Markdown. */
function quoted(text: string): string {
  return `\`${oneLine(text, 500).replaceAll("`", "'")}\``;
}
