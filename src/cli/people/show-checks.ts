import { type Claim, compareClaims, describeClaim, foundFields } from "../../audit/claims-and-facts.ts";
import { gapTexts } from "../../dashboard/overview/log-row.ts";
import { walkHistory } from "../../dashboard/overview/walk.ts";
import type { StaleProof } from "../../engine/ports/checks.ts";
import type { CheckResult } from "../../gates/check.ts";
import { defined } from "../../kit/defined.ts";
import { type CheckEnding, checkEnding, checkText } from "../../messages/check-text.ts";
import type { Event } from "../../workflow/events.ts";
import type { StepState } from "../../workflow/stream-snapshot.ts";
import { oneLine, paint } from "../terminal/print.ts";
import { staleText } from "../work/stale-lines.ts";

/** The latest result of a check; `stale`: files it read have changed since it passed. */
export type ShownCheck = CheckEnding &
  Pick<CheckResult, "name" | "summary" | "facts" | "output"> & {
    readonly status: CheckResult["status"] | "stale";
    readonly files?: readonly string[];
  };

/** Collects the latest checks of a submission from its events. */
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
      ...defined({ facts }),
      ...checkEnding(result),
      ...(status === "failed" && output !== undefined && output !== "" ? { output } : {}),
    };
  });
}

/** A claim, what was found, and the number of the submission it came with. */
export type ShownClaim = Claim & { readonly hand_in: number };

/** Compares the claims of each submission with what the checks found. */
export function shownClaims(events: readonly Event[]): readonly ShownClaim[] {
  const submissions = walkHistory(events).at(-1)?.handIns ?? [];
  return submissions.flatMap(({ number, evidence = {}, checks = [] }) =>
    compareClaims({ evidence }, foundFields(checks))
      .filter(({ claimed }) => claimed !== undefined || number === submissions.length)
      .map((claim) => ({ ...claim, hand_in: number })),
  );
}

/** Explains why the last attempt to complete an open step was refused. */
export function lastRefusal(
  { refusedCode: code }: StepState,
  events: readonly Event[],
): { readonly turned_down?: { readonly code: string; readonly missing: readonly string[] } } {
  if (code === undefined) return {};
  const last = events.findLast((event) => event.type === "refused");
  return { turned_down: { code, missing: last?.type === "refused" ? gapTexts(last) : [] } };
}

/** Formats a claim, marking false ones and those of earlier submissions. */
export function claimLine(claim: ShownClaim, last: number): string {
  const isFalse = claim.claimed !== undefined && claim.claimed !== claim.found;
  const text = `${claim.hand_in === last ? "" : `submission ${claim.hand_in}: `}${oneLine(describeClaim(claim))}`;
  return isFalse ? paint("red", text) : text;
}

/** Formats a check, with the last lines of output if it failed. */
export function checkLines(check: ShownCheck): string[] {
  const { name, status, files, output = "" } = check;
  const line = oneLine(checkText({ ...check, status: status === "stale" ? "passed" : status }));
  return [
    status === "failed" ? paint("red", `✗ ${line}`) : `✓ ${line}`,
    ...(files === undefined ? [] : [paint("yellow", `! ${oneLine(staleText({ check: name, files }))}`)]),
    ...output
      .split("\n")
      .filter((one) => one.trim() !== "")
      .map((one) => `    ${oneLine(one)}`),
  ];
}
