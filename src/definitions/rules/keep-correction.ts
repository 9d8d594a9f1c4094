import type { Correction } from "../../engine/ports.ts";
import { addToJson } from "./add-to-json.ts";
import { addToMarkdown } from "./add-to-markdown.ts";
import { findRule } from "./find-rule.ts";
import type { PlacedRule } from "./load-rules.ts";
import { longestText } from "./parse-correction.ts";
import { findPatternProblem } from "./pattern-problem.ts";
import { rewriteFile } from "./rewrite-file.ts";

/** Keeps a correction in the bot of a folder, among its rules, as the rule's next example, and as a check where it has a pattern; or changes nothing and says why. */
export async function keepCorrection(
  folder: string,
  rules: readonly PlacedRule[],
  correction: Correction,
): Promise<{ readonly kept: string } | { readonly refused: string }> {
  const problem = findProblem(correction);
  if (problem !== undefined) return { refused: problem };
  const target = findRule(rules, correction.rule);
  if ("refused" in target) return target;
  const { rule, file, at } = target;
  const isMarkdown = /\.md$/i.test(file.path);
  if (!isMarkdown && at === undefined) return { refused: `${file.shown} is broken; mend it first` };
  const written = await rewriteFile(folder, file.path, (text) =>
    isMarkdown ? addToMarkdown(text, correction) : addToJson(text, at ?? [], rule.name, correction),
  );
  if ("refused" in written)
    return { refused: `the rule ${rule.name} in ${file.shown} stays as it is: ${written.refused}` };
  if ("unchanged" in written)
    return { kept: `The rule ${rule.name} already has this correction (${file.shown}): nothing was changed.` };
  const check = correction.pattern === undefined ? "" : `, and a check of /${correction.pattern}/`;
  return {
    kept: `Kept in ${file.shown}: the rule ${rule.name} has a new example${check}; the next validation uses it.`,
  };
}

function findProblem(correction: Correction): string | undefined {
  for (const [key, text] of Object.entries(correction)) {
    if (text.trim() === "") return `"${key}" is empty`;
    if (text.length > longestText) return `"${key}" is longer than ${longestText} characters`;
  }
  return correction.pattern === undefined ? undefined : findPatternProblem(correction.pattern);
}
