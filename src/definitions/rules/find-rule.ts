import { differingLetters } from "../../evidence/differing-letters.ts";
import { asName } from "../bots/names.ts";
import type { PlacedRule } from "./load-rules.ts";

/** Finds a rule by its name or its file's, whatever the case and the separators; or says which rules there are. */
export function findRule(placed: readonly PlacedRule[], name: string): PlacedRule | { readonly refused: string } {
  const wanted = comparable(name);
  const found =
    placed.find(({ rule }) => comparable(rule.name) === wanted) ??
    placed.find(({ file }) => comparable(file.name) === wanted);
  if (found !== undefined) return found;
  const names = [...new Set(placed.map(({ rule }) => rule.name))];
  if (names.length === 0) return { refused: `there is no rule "${name}": this bot has no rules yet` };
  const near = names.filter((candidate) => differingLetters(comparable(candidate), wanted) <= 1 + wanted.length / 5);
  const hint = near[0] === undefined ? "" : ` (did you mean "${near[0]}"?)`;
  return { refused: `there is no rule "${name}"${hint}; the rules are ${names.slice(0, 40).join(", ")}` };
}

function comparable(name: string): string {
  return asName(name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
