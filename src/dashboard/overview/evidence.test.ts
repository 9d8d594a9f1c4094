import { expect, it } from "vitest";
import { countEvidence } from "./evidence.ts";

const result = { definition: "d", reads: "r", summary: "11 of 12 tests passed" };
const failed = { ...result, name: "tests", status: "failed", found: { passed: 11 } } as const;
const submitted = { evidence: { passed: 12, reviewed: "lee" } };

it("a claim that a failed check contradicts stays contradicted until something else is submitted", () => {
  const refused = { submitted, failedChecks: [failed], refusedCode: "check_failed" };
  expect(countEvidence(refused)).toEqual({ found: 0, agrees: 0, differs: 1, word: 1 });
  expect(countEvidence({ submitted, failedChecks: [failed] })).toEqual({ found: 0, agrees: 0, differs: 0, word: 2 });
  const passed = { ...failed, status: "passed", found: { passed: 12 } } as const;
  expect(countEvidence({ ...refused, checks: [passed] })).toEqual({ found: 0, agrees: 1, differs: 0, word: 1 });
});
