import { type Claim, claimsIn, claimText, foundIn } from "../audit/claims.ts";
import type { StaleProof } from "../engine/ports.ts";
import type { CheckResult } from "../evidence/check.ts";
import { gapsOf } from "../overview/log-row.ts";
import { walkOf } from "../overview/walk.ts";
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

/** A claim beside what was found, and the how-manieth hand-in of the attempt it came with. */
export type ShownClaim = Claim & { readonly hand_in: number };

/** What each hand-in of an attempt claimed of what checks find, and what the last one left to them. */
export function claimsOf(events: readonly Event[]): readonly ShownClaim[] {
  const handIns = walkOf(events).at(-1)?.handIns ?? [];
  return handIns.flatMap(({ number, evidence = {}, checks = [] }) =>
    claimsIn({ evidence }, foundIn(checks))
      .filter(({ claimed }) => claimed !== undefined || number === handIns.length)
      .map((claim) => ({ ...claim, hand_in: number })),
  );
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

/** A claim for a person: one that was not true stands out, and one of an earlier hand-in than the last says so. */
export function claimLine(claim: ShownClaim, last: number): string {
  const isFalse = claim.claimed !== undefined && claim.claimed !== claim.found;
  const text = `${claim.hand_in === last ? "" : `hand-in ${claim.hand_in}: `}${plain(claimText(claim))}`;
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
