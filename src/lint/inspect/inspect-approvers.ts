import { join } from "node:path";
import { readJson } from "../../definitions/files/json-file.ts";
import type { CheckContext, DefinitionsSurvey } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports an approvers file that cannot be used as a whole. */
export function inspectApprovers({ definitions }: DefinitionsSurvey, { approvers }: CheckContext): ReportedFinding[] {
  if (!("problem" in approvers)) return [];
  const path = join(definitions.folder, "approvers.json");
  const read = readJson(definitions, path);
  if ("malformed" in read) return [{ path, ...read.error }];
  const fix = "Fix the entry, or remove it and have the person run waymark approve --enroll again.";
  return [{ code: "cannot-be-used", path, line: 1, message: approvers.problem, fix }];
}
