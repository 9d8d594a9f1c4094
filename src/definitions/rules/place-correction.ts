import type { PlacedCorrection } from "../../engine/ports.ts";
import type { Correction } from "../../evidence/correction.ts";
import { addToJson } from "./add-to-json.ts";
import { addToMarkdown } from "./add-to-markdown.ts";
import { findRule } from "./find-rule.ts";
import type { PlacedRule } from "./load-rules.ts";
import { findPatternProblem } from "./pattern-problem.ts";
import { rewriteFile } from "./rewrite-file.ts";

/**
 * Finds the rule of the bot in a folder that a correction is about, or says why it cannot be kept; nothing is written before
 * `keep`, which adds it as the rule's next example, and as a check where it has a pattern.
 */
export function placeCorrection(
  folder: string,
  rules: readonly PlacedRule[],
  correction: Correction,
): PlacedCorrection | { readonly refused: string } {
  const { pattern } = correction;
  const problem = pattern === undefined ? undefined : findPatternProblem(pattern);
  if (problem !== undefined) return { refused: problem };
  const target = findRule(rules, correction.rule);
  if ("refused" in target) return target;
  const { rule, file, at } = target;
  const isMarkdown = /\.md$/i.test(file.path);
  if (!isMarkdown && at === undefined) return { refused: `${file.shown} is broken; mend it first` };
  if (isMarkdown && pattern !== undefined)
    return { refused: `${file.shown} is Markdown, which holds no patterns: convert it to JSON to keep a pattern` };
  return {
    place: `${rule.name} (${file.shown})`,
    async keep() {
      const written = await rewriteFile(folder, file.path, (text) =>
        isMarkdown ? addToMarkdown(text, correction) : addToJson(text, at ?? [], rule.name, correction),
      );
      if ("refused" in written)
        return { refused: `the rule ${rule.name} in ${file.shown} stays as it is: ${written.refused}` };
      if ("unchanged" in written)
        return {
          kept: `The rule ${rule.name} already has this correction (${file.shown}): nothing was changed.`,
          isNew: false,
        };
      const check = pattern === undefined ? "" : `, and a check of /${pattern}/`;
      return {
        kept: `Kept in ${file.shown}: the rule ${rule.name} has a new example${check}; the next validation uses it.`,
        isNew: true,
      };
    },
  };
}
