import type { Correction } from "../../gates/correction.ts";
import type { AddResult } from "./add-to-json.ts";
import { doHeading, dontHeading, ruleInMarkdown } from "./rule-in-markdown.ts";

/** Adds a correction to a Markdown rule, as the last items under `## Do` and `## Don't`. */
export function addToMarkdown(text: string, correction: Correction): AddResult {
  if (correction.pattern !== undefined) {
    return { refused: "its file is Markdown, which cannot store patterns; convert it to JSON first" };
  }
  const plain = text.replaceAll("\r\n", "\n");
  const examples = ruleInMarkdown(plain, "")?.examples ?? [];
  const has = (side: "do" | "dont"): boolean => examples.some((example) => example[side] === correction[side]);
  if (has("do") && has("dont")) return { unchanged: true };
  const lines = plain.trimEnd().split("\n");
  const withDo = has("do") ? lines : addItem(lines, doHeading, "## Do", correction.do);
  const withBoth = has("dont") ? withDo : addItem(withDo, dontHeading, "## Don't", correction.dont);
  const joined = `${withBoth.join("\n")}\n`;
  return { text: text.includes("\r\n") ? joined.replaceAll("\n", "\r\n") : joined };
}

function addItem(lines: readonly string[], heading: RegExp, newHeading: string, item: string): readonly string[] {
  const written = `- ${item.replaceAll("\n", "\n  ")}`;
  const start = lines.findIndex((line) => heading.test(line));
  if (start === -1) return [...lines, "", newHeading, "", written];
  const rest = lines.slice(start + 1);
  const nextHeading = rest.findIndex((line) => /^#{1,6}\s/.test(line));
  const section = nextHeading === -1 ? rest : rest.slice(0, nextHeading);
  const isEmpty = section.every((line) => line.trim() === "");
  const end = section.findLastIndex((line) => line.trim() !== "") + 1;
  return [
    ...lines.slice(0, start + 1),
    ...(isEmpty ? [""] : section.slice(0, end)),
    written,
    ...(nextHeading === -1 ? [] : ["", ...rest.slice(nextHeading)]),
  ];
}
