import { type Check, type CheckResult, type CheckStatus, facts } from "../gates/check.ts";
import { isOfFileCheck } from "../gates/check-schema.ts";
import { usesPackageManager } from "../kit/package-script.ts";
import type { RulesCheck } from "./recheck-rules.ts";

/** The result of a check now; `unseen` says what this checkout cannot tell. */
export type CheckNow =
  | (CheckStatus & { readonly unseen?: string })
  | { readonly name: string; readonly status: "unseen"; readonly definition: string; readonly summary: string };

/** A check of a step: its recorded result, its result now, and whether they agree. */
export type RecheckedCheck = {
  readonly name: string;
  readonly agrees: boolean;
  readonly recorded: CheckResult | null;
  readonly found: CheckNow;
};

/** Differences between a check's record and its result now: problems and mere notes. */
export type CheckDifferences = { readonly problems: readonly string[]; readonly notes: readonly string[] };

/** Compares a check's result now with its recorded result. */
export function compareCheck(
  check: Check | RulesCheck,
  recorded: CheckResult | undefined,
  found: CheckNow,
): CheckDifferences {
  const { name } = check;
  const problem = (text: string): CheckDifferences => ({ problems: [text], notes: [] });
  const was = recorded === undefined ? "is not on record" : `${recorded.status} on record (${recorded.summary})`;
  switch (found.status) {
    case "untrusted":
      return problem(`${name} was not run: ${found.summary} (waymark trust)`);
    case "unseen":
      return { problems: [], notes: [`${name} ${was}, and was not rechecked: ${found.summary}`] };
    case "passed":
      return recorded === undefined ? { problems: [], notes: [] } : compareResults(check, recorded, found);
    default:
      return problem(
        `${name} ${was}, and ${found.status !== "failed" ? "has no result" : check.kind === "rules" ? "fail" : "fails"} now: ${found.summary}`,
      );
  }
}

function compareResults(
  check: Check | RulesCheck,
  recorded: CheckResult,
  found: CheckNow & CheckResult,
): CheckDifferences {
  const { name } = check;
  const isSameCheck =
    recorded.definition === found.definition || (check.kind === "file" && isOfFileCheck(check, recorded));
  const isPinned = check.kind === "command" && (check.pins.length > 0 || usesPackageManager(check.run));
  const isSameFiles = recorded.reads === found.reads;
  const others = differingFacts(check, recorded, found);
  // The same command on the same files has the same number of tests anywhere; which ones are skipped may differ.
  const isUntrue = isSameCheck && isSameFiles && others.some(({ fact }) => fact === "tests");
  const counted = others.map(({ text }) => `${name}: ${text}${isUntrue ? ", on the same files" : ""}`);
  return {
    problems: [
      ...(isSameCheck || isPinned ? [] : [`${name} is recorded as a different check than its gate has`]),
      ...(isUntrue ? counted : []),
    ],
    notes: [
      ...(isSameCheck || !isPinned ? [] : [`${name}: its pinned files have changed since`]),
      ...(isSameFiles ? [] : [`${name}: what ${check.kind === "rules" ? "they read" : "it reads"} has changed since`]),
      ...(isUntrue ? [] : counted),
      ...(found.unseen === undefined ? [] : [`${name}: ${found.unseen}`]),
    ],
  };
}

/** Duration does not count as a difference unless evidence uses it. */
function differingFacts(
  check: Check | RulesCheck,
  { facts: before = {} }: CheckResult,
  { facts: now = {} }: CheckResult,
) {
  const asked = check.kind === "command" ? Object.values(check.gives) : [];
  return facts
    .filter((fact) => before[fact] !== now[fact] && (fact !== "duration" || asked.includes(fact)))
    .map((fact) => ({
      fact,
      text: `${fact} was ${before[fact] ?? "not reported"} on record and is ${now[fact] ?? "not reported"} now`,
    }));
}
