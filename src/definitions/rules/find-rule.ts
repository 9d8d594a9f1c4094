import { normalizeName } from "../bots/definition-names.ts";
import { didYouMean } from "../files/near-miss.ts";
import type { LocatedRule } from "./load-rules.ts";

/** Finds a rule by its name or its file's name, ignoring case and separators, or lists the existing ones. */
export function findRule(placed: readonly LocatedRule[], name: string): LocatedRule | { readonly refused: string } {
  const wanted = comparable(name);
  const found =
    placed.find(({ rule }) => comparable(rule.name) === wanted) ??
    placed.find(({ file }) => comparable(file.name) === wanted);
  if (found !== undefined) return found;
  const names = [...new Set(placed.map(({ rule }) => rule.name))];
  if (names.length === 0) return { refused: `the rule "${name}" does not exist: this bot has no rules yet` };
  const rules = `the rules are ${names.slice(0, 40).join(", ")}`;
  return { refused: `the rule "${name}" does not exist; ${rules}${didYouMean(name, names)}` };
}

function comparable(name: string): string {
  return normalizeName(name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
