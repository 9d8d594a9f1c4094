import { type Claim, claimFinder, claimText } from "../audit/claims.ts";
import type { StaleProof } from "../engine/ports.ts";
import type { CheckResult } from "../evidence/check.ts";
import { canonical } from "../evidence/json.ts";
import { gapsOf } from "../overview/log-row.ts";
import { checkText, type Ending, endingOf } from "../words/check-words.ts";
import type { StepState } from "../workflow/desk.ts";
import type { Event } from "../workflow/events.ts";
import { paint, plain } from "./print.ts";
import { staleText } from "./stale-lines.ts";

/** What a check came to, newest run; stale: files that it read have changed since it passed, and which, as far as that is known. */
export type ShownCheck = Ending &
  Pick<CheckResult, "name" | "summary" | "facts" | "output"> & {
    readonly status: CheckResult["status"] | "stale";
    readonly files?: readonly string[];
  };

/** The checks of a hand-in as its history has them. */
export function shownChecks(events: readonly Event[], stale: readonly StaleProof[]): readonly ShownCheck[] {
  const results = events.flatMap((event) => (event.type === "checked" ? [event.result] : []));
  const newest = new Map(results.map((result) => [result.name, result]));
  return [...newest.values()].map((result) => {
    const { name, status, summary, facts, output } = result;
    const files = stale.find(({ proof }) => proof.result.name === name && status === "passed")?.files;
    return {
      name,
      status: files === undefined ? status : "stale",
      summary,
      ...(files === undefined ? {} : { files: files.slice(0, 3) }),
      ...(facts === undefined ? {} : { facts }),
      ...endingOf(result),
      ...(status === "failed" && output !== undefined && output !== "" ? { output } : {}),
    };
  });
}

/** Everything that was claimed of what checks find, each claim once, and what was found without a claim. */
export function claimsOf(events: readonly Event[]): readonly Claim[] {
  const claimsAt = claimFinder();
  const all = [...new Map(events.flatMap(claimsAt).map((claim) => [canonical({ ...claim }), claim])).values()];
  const isTold = ({ field, found }: Claim): boolean =>
    all.some((one) => one.claimed !== undefined && one.field === field && one.found === found);
  return all.filter((claim) => claim.claimed !== undefined || !isTold(claim));
}

/** Why the last try to complete an open step was turned down. */
export function turnedDown(
  { turnedDown: code }: StepState,
  events: readonly Event[],
): { readonly turned_down?: { readonly code: string; readonly missing: readonly string[] } } {
  if (code === undefined) return {};
  const last = events.findLast((event) => event.type === "refused");
  return { turned_down: { code, missing: last?.type === "refused" ? gapsOf(last) : [] } };
}

/** A claim for a person: one that was not true stands out. */
export function claimLine(claim: Claim): string {
  const isFalse = claim.claimed !== undefined && claim.claimed !== claim.found;
  const text = plain(claimText(claim));
  return isFalse ? paint("red", text) : text;
}

/** A check for a person, with the last lines of one that failed. */
export function checkLines(check: ShownCheck): string[] {
  const { name, status, files, output = "" } = check;
  const line = plain(checkText({ ...check, status: status === "stale" ? "passed" : status }));
  return [
    status === "failed" ? paint("red", `✗ ${line}`) : `✓ ${line}`,
    ...(files === undefined ? [] : [paint("yellow", `! ${plain(staleText({ check: name, files }))}`)]),
    ...output
      .split("\n")
      .filter((one) => one.trim() !== "")
      .map((one) => `    ${plain(one)}`),
  ];
}
