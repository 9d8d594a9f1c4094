import type { Severity } from "../codes.ts";
import type { Finding, RankedFinding } from "./finding.ts";

/** Ranks findings: errors first, each by itself; of the rest, many with one cause are one with a count. */
export function rankFindings(findings: readonly Finding[]): readonly RankedFinding[] {
  const ranked = [...findings].sort((a, b) => rank[a.severity] - rank[b.severity]);
  const causes = new Map<string, Finding[]>();
  for (const [index, finding] of ranked.entries()) {
    const cause = finding.severity === "error" ? `${index}` : `${finding.code} ${finding.fixable}`;
    causes.set(cause, [...(causes.get(cause) ?? []), finding]);
  }
  return [...causes.values()].flatMap((alike) =>
    alike.length < fewestTogether ? alike.flatMap((one) => together([one])) : together(alike),
  );
}

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** As many of one cause are told one by one. */
const fewestTogether = 4;

function together(alike: readonly Finding[]): RankedFinding[] {
  const [first, ...others] = alike;
  if (first === undefined) return [];
  return [{ ...first, count: alike.length, more: others.map(({ file, line, message }) => ({ file, line, message })) }];
}
