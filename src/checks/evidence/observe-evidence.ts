import type { HandedInAt } from "../../engine/ports.ts";
import { observationKey } from "../../evidence/evidence-rule.ts";
import { isOfType, submitted } from "../../evidence/evidence-type.ts";
import { demand } from "../../evidence/evidence-words.ts";
import { type EvidenceRule, type Gate, isOutside, type Observations, type OutsideRule } from "../../evidence/gate.ts";
import type { Json, JsonObject } from "../../evidence/json.ts";
import { type Budget, budgetOf } from "../budget.ts";
import { compilePattern } from "../rules/pattern.ts";
import { lookFor, neverLookedFor } from "./look-for.ts";

/** Where evidence is looked for: in a work tree, and among what was handed in. */
export type Surroundings = {
  readonly projectArea?: string | undefined;
  readonly handedIn?: HandedInAt | undefined;
  /** Whoever claims it has their files elsewhere. */
  readonly isRemote?: boolean;
  /** The step was completed long ago: what is not there now may have been there then, and nobody can tell. */
  readonly isAfterwards?: boolean;
};

/**
 * Finds out what the core cannot: whether texts match and whether files are there.
 * What could not be found out is left out, and so does not count as proved.
 */
export async function observeEvidence(
  surroundings: Surroundings,
  gate: Gate,
  evidence: JsonObject,
): Promise<Observations> {
  const budget = budgetOf();
  const seen = new Map<string, string | null>();
  const unknown = new Set<string>();
  for (const { field, type, rules } of gate.requirements) {
    const value = submitted(evidence, field);
    if (value === null || !isOfType(value, type)) continue;
    for (const rule of rules) {
      if (!isOutside(rule)) continue;
      const key = observationKey(field, rule.kind);
      const complaint = budget.isSpent() ? undefined : await look(surroundings, rule, value, budget);
      if (complaint === undefined) unknown.add(key);
      else seen.set(key, [seen.get(key), complaint].filter(Boolean).join("; ") || null);
    }
  }
  for (const key of unknown) seen.delete(key);
  return seen;
}

/** What looking for a file costs, next to a pattern. */
const unitsPerPath = 20_000;
const mostCharacters = 100_000;
const mostPaths = 200;

/** A complaint, null where there is none, undefined where nobody can tell. */
async function look(
  { projectArea, handedIn = async () => undefined, isRemote = false, isAfterwards = false }: Surroundings,
  rule: OutsideRule,
  value: Json,
  budget: Budget,
): Promise<string | null | undefined> {
  if (rule.kind === "matches") return typeof value === "string" ? match(rule, value, budget) : undefined;
  const paths: readonly Json[] = Array.isArray(value) ? value : [value];
  if (paths.length > mostPaths) return `names more than ${mostPaths} paths`;
  if (paths.length === 0) return "names no path";
  const kind = rule.kind === "file_exists" ? "file" : "folder";
  const never = isAfterwards ? paths.map(neverLookedFor).find((one) => one !== undefined) : undefined;
  if (never !== undefined) return never;
  for (const path of paths) {
    if (typeof path !== "string") return `${demand(rule)}, and one of its items is no text`;
    budget.spend(unitsPerPath);
    if (isRemote && (await handedIn(path, kind)) !== undefined) continue;
    const isComing = async (): Promise<boolean> => (await handedIn(path, kind)) === "to_be_saved";
    const complaint = projectArea === undefined ? unseen(path, kind) : await lookFor(projectArea, path, kind, isComing);
    if (complaint !== null && isAfterwards) return undefined;
    if (complaint !== null) return isRemote ? unseen(path, kind) : complaint;
  }
  return null;
}

function unseen(path: string, kind: "file" | "folder"): string {
  const named = JSON.stringify(path.slice(0, 100));
  return kind === "file"
    ? `${named} was not handed in, and over HTTP Waymark does not see your files; hand it in as content, with its text`
    : `nothing below ${named} was handed in, and over HTTP Waymark does not see your files`;
}

async function match(
  rule: Extract<EvidenceRule, { kind: "matches" }>,
  text: string,
  budget: Budget,
): Promise<string | null | undefined> {
  if (text.length > mostCharacters)
    return `is longer than ${mostCharacters.toLocaleString("en")} characters, too long to be matched`;
  const pattern = compilePattern(rule.pattern, rule.flags);
  if ("unusable" in pattern) return undefined;
  const found = pattern.isIn(text, budget);
  await new Promise(setImmediate); // the server goes on answering between two patterns
  return found === undefined ? undefined : found ? null : demand(rule);
}
