import { type Check, type CheckResult, type CheckStanding, facts } from "../evidence/check.ts";
import { isOfFileCheck } from "../evidence/check-schema.ts";
import type { RulesCheck } from "./rules-again.ts";

/** What a check is found to be now; `unseen`: this checkout cannot tell, and why. */
export type CheckFound =
  | (CheckStanding & { readonly unseen?: string })
  | { readonly name: string; readonly status: "unseen"; readonly definition: string; readonly summary: string };

/** A check of a step: what is on record of it, what it is found to be now, and whether the two agree. */
export type CheckedAgain = {
  readonly name: string;
  readonly agrees: boolean;
  readonly recorded: CheckResult | null;
  readonly found: CheckFound;
};

/** What of a check has become otherwise than it is on record: what speaks against it, and what does not. */
export type Differences = { readonly problems: readonly string[]; readonly notes: readonly string[] };

/** Holds what a check is found to be against what is on record of it. */
export function compareCheck(
  check: Check | RulesCheck,
  recorded: CheckResult | undefined,
  found: CheckFound,
): Differences {
  const { name } = check;
  const problem = (text: string): Differences => ({ problems: [text], notes: [] });
  const was = recorded === undefined ? "is not on record" : `${recorded.status} on record (${recorded.summary})`;
  switch (found.status) {
    case "untrusted":
      return problem(`${name} was not run: ${found.summary} (waymark trust)`);
    case "unseen":
      return { problems: [], notes: [`${name} ${was}, and was not looked at again: ${found.summary}`] };
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
  found: CheckFound & CheckResult,
): Differences {
  const { name } = check;
  const isSameCheck =
    recorded.definition === found.definition || (check.kind === "file" && isOfFileCheck(check, recorded));
  const isPinned = check.kind === "command" && check.pins.length > 0;
  const isSameFiles = recorded.reads === found.reads;
  const others = factsThatDiffer(check, recorded, found);
  // The same command on the same files has as many tests as it had, wherever it runs; which of them are left out may differ.
  const isUntrue = isSameCheck && isSameFiles && others.some(({ fact }) => fact === "tests");
  const counted = others.map(({ text }) => `${name}: ${text}${isUntrue ? ", on the same files" : ""}`);
  return {
    problems: [
      ...(isSameCheck || isPinned ? [] : [`${name} is on record as another check than its gate has`]),
      ...(isUntrue ? counted : []),
    ],
    notes: [
      ...(isSameCheck || !isPinned ? [] : [`${name}: what is pinned to it has changed since`]),
      ...(isSameFiles ? [] : [`${name}: what ${check.kind === "rules" ? "they read" : "it reads"} has changed since`]),
      ...(isUntrue ? [] : counted),
      ...(found.unseen === undefined ? [] : [`${name}: ${found.unseen}`]),
    ],
  };
}

/** How long it took is no difference, unless somebody asks for it. */
function factsThatDiffer(
  check: Check | RulesCheck,
  { facts: before = {} }: CheckResult,
  { facts: now = {} }: CheckResult,
) {
  const asked = check.kind === "command" ? Object.values(check.gives) : [];
  return facts
    .filter((fact) => before[fact] !== now[fact] && (fact !== "duration" || asked.includes(fact)))
    .map((fact) => ({
      fact,
      text: `${fact} was ${before[fact] ?? "not told"} on record and is ${now[fact] ?? "not told"} now`,
    }));
}
