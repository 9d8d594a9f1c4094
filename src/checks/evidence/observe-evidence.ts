import type { SubmittedAt } from "../../engine/ports/checks.ts";
import { describeDemand } from "../../gates/describe-rules.ts";
import { observationKey } from "../../gates/field-gaps.ts";
import { type EvidenceRule, type Gate, isOutside, type Observations, type OutsideRule } from "../../gates/gate.ts";
import { fieldValue, isOfType } from "../../gates/value-type.ts";
import type { Json, JsonObject } from "../../kit/json.ts";
import { type Budget, makeBudget } from "../budget.ts";
import { compilePattern } from "../rules/pattern.ts";
import { findEvidencePath, impossiblePath } from "./find-path.ts";

/** The places evidence is looked for: a work tree and the submitted content. */
export type EvidenceSources = {
  readonly projectArea?: string | undefined;
  readonly submitted?: SubmittedAt | undefined;
  /** The caller's files are on another machine. */
  readonly isRemote?: boolean;
  /** The step was completed long ago: what is missing now may have existed then. */
  readonly isAfterwards?: boolean;
};

/** Finds out what the core cannot: pattern matches and file existence. What cannot be found out is left out and does not count as proved. */
export async function observeEvidence(
  surroundings: EvidenceSources,
  gate: Gate,
  evidence: JsonObject,
): Promise<Observations> {
  const budget = makeBudget();
  const seen = new Map<string, string | null>();
  const unknown = new Set<string>();
  for (const { field, type, rules } of gate.requirements) {
    const value = fieldValue(evidence, field);
    if (value === null || !isOfType(value, type)) continue;
    for (const rule of rules) {
      if (!isOutside(rule)) continue;
      const key = observationKey(field, rule.kind);
      const complaint = budget.isSpent() ? undefined : await observeRule(surroundings, rule, value, budget);
      if (complaint === undefined) unknown.add(key);
      else seen.set(key, [seen.get(key), complaint].filter(Boolean).join("; ") || null);
    }
  }
  for (const key of unknown) seen.delete(key);
  return seen;
}

/** The cost of looking for a file, in units of the budget. */
const unitsPerPath = 20_000;
const mostCharacters = 100_000;
const mostPaths = 200;

/** Returns a complaint, null if there is none, undefined if it cannot be told. */
async function observeRule(
  { projectArea, submitted = async () => undefined, isRemote = false, isAfterwards = false }: EvidenceSources,
  rule: OutsideRule,
  value: Json,
  budget: Budget,
): Promise<string | null | undefined> {
  if (rule.kind === "matches") return typeof value === "string" ? match(rule, value, budget) : undefined;
  const paths: readonly Json[] = Array.isArray(value) ? value : [value];
  if (paths.length > mostPaths) return `names more than ${mostPaths} paths`;
  if (paths.length === 0) return "names no path";
  const kind = rule.kind === "file_exists" ? "file" : "folder";
  const never = isAfterwards ? paths.map(impossiblePath).find((one) => one !== undefined) : undefined;
  if (never !== undefined) return never;
  for (const path of paths) {
    if (typeof path !== "string") return `${describeDemand(rule)}, and one of its items is not text`;
    budget.spend(unitsPerPath);
    if (isRemote && (await submitted(path, kind)) !== undefined) continue;
    const isComing = async (): Promise<boolean> => (await submitted(path, kind)) === "to_be_saved";
    const complaint =
      projectArea === undefined
        ? notSubmittedMessage(path, kind)
        : await findEvidencePath(projectArea, path, kind, isComing);
    if (complaint !== null && isAfterwards) return undefined;
    if (complaint !== null) return isRemote ? notSubmittedMessage(path, kind) : complaint;
  }
  return null;
}

function notSubmittedMessage(path: string, kind: "file" | "folder"): string {
  const named = JSON.stringify(path.slice(0, 100));
  return kind === "file"
    ? `${named} was not submitted, and over HTTP Waymark does not see your files; submit it as content with its text`
    : `nothing below ${named} was submitted, and over HTTP Waymark does not see your files`;
}

async function match(
  rule: Extract<EvidenceRule, { kind: "matches" }>,
  text: string,
  budget: Budget,
): Promise<string | null | undefined> {
  if (text.length > mostCharacters)
    return `is longer than ${mostCharacters.toLocaleString("en")} characters, too long to match`;
  const pattern = compilePattern(rule.pattern, rule.flags);
  if ("unusable" in pattern) return undefined;
  const found = pattern.isIn(text, budget);
  await new Promise(setImmediate); // lets the server answer between two patterns
  return found === undefined ? undefined : found ? null : describeDemand(rule);
}
