import type { LocatedCorrection } from "../../engine/ports/definitions.ts";
import type { Correction } from "../../gates/correction.ts";
import { addToJson } from "./add-to-json.ts";
import { addToMarkdown } from "./add-to-markdown.ts";
import { findRule } from "./find-rule.ts";
import type { LocatedRule } from "./load-rules.ts";
import { findPatternProblem } from "./pattern-problem.ts";
import { rewriteFile } from "./rewrite-file.ts";

/** Finds the rule a correction is about, or says why it cannot be saved; only `keep` writes it, as an example and a check. */
export function prepareCorrection(
  folder: string,
  rules: readonly LocatedRule[],
  correction: Correction,
): LocatedCorrection | { readonly refused: string } {
  const { pattern } = correction;
  const problem = pattern === undefined ? undefined : findPatternProblem(pattern);
  if (problem !== undefined) return { refused: problem };
  const target = findRule(rules, correction.rule);
  if ("refused" in target) return target;
  const { rule, file, at } = target;
  const isMarkdown = /\.md$/i.test(file.path);
  if (!isMarkdown && at === undefined) return { refused: `${file.shown} is invalid; fix it first` };
  if (isMarkdown && pattern !== undefined)
    return { refused: `${file.shown} is Markdown, which cannot store patterns; convert it to JSON first` };
  return {
    place: `${rule.name} (${file.shown})`,
    async keep() {
      const written = await rewriteFile(folder, file.path, (text) =>
        isMarkdown ? addToMarkdown(text, correction) : addToJson(text, at ?? [], rule.name, correction),
      );
      if ("refused" in written)
        return { refused: `the rule ${rule.name} in ${file.shown} is unchanged: ${written.refused}` };
      if ("unchanged" in written)
        return {
          kept: `The rule ${rule.name} already has this correction (${file.shown}); nothing changed.`,
          isNew: false,
        };
      const check = pattern === undefined ? "" : `, and a check of /${pattern}/`;
      return {
        kept: `Saved in ${file.shown}: the rule ${rule.name} has a new example${check}. The next validation uses it.`,
        isNew: true,
      };
    },
  };
}
