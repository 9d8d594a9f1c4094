import { join } from "node:path";
import { readJson } from "../json-file.ts";
import type { Noted } from "./finding.ts";
import type { Surroundings, Survey } from "./survey.ts";

/** Reports a file of approvers that names nobody, since it is not wholly understood. */
export function inspectApprovers({ definitions }: Survey, { approvers }: Surroundings): Noted[] {
  if (!("problem" in approvers)) return [];
  const path = join(definitions, "approvers.json");
  const read = readJson(path);
  if ("malformed" in read) return [{ path, ...read.trouble }];
  const fix = "Mend it, or take the entry out and have the person enroll again: waymark approve --enroll.";
  return [{ code: "cannot-be-used", path, line: 1, message: approvers.problem, fix }];
}
