import type { Severity } from "../definitions/finding-codes.ts";
import type { Finding, RankedFinding } from "./reported-finding.ts";

/** Sorts findings by severity and merges repeated warnings and infos into one with a count. */
export function rankFindings(findings: readonly Finding[]): readonly RankedFinding[] {
  const ranked = [...findings].sort((a, b) => rank[a.severity] - rank[b.severity]);
  const causes = new Map<string, Finding[]>();
  for (const [index, finding] of ranked.entries()) {
    const cause = finding.severity === "error" ? `${index}` : `${finding.code} ${finding.fixable}`;
    causes.set(cause, [...(causes.get(cause) ?? []), finding]);
  }
  return [...causes.values()].flatMap((alike) =>
    alike.length < mergeFrom ? alike.flatMap((one) => mergeFindings([one])) : mergeFindings(alike),
  );
}

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** The number of repetitions from which findings are merged. */
const mergeFrom = 4;

function mergeFindings(alike: readonly Finding[]): RankedFinding[] {
  const [first, ...others] = alike;
  if (first === undefined) return [];
  return [{ ...first, count: alike.length, more: others.map(({ file, line, message }) => ({ file, line, message })) }];
}
