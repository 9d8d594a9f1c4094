import type { CheckResult } from "../../gates/check.ts";
import { changedBetween, type FilesRead } from "../files/file-reader.ts";

/** The context of a result: the previous result, and what was trusted. */
export type ResultContext = {
  readonly before: CheckResult | undefined;
  readonly filesBefore: FilesRead | undefined;
  readonly files: FilesRead | undefined;
  readonly trusted: Readonly<Record<string, string>> | undefined;
  readonly behind: Readonly<Record<string, string>>;
};

/** Adds to the summary what a check cannot judge but a person should know: fewer tests, changed configuration, changed scripts. */
export function withRemarks(result: CheckResult, beside: ResultContext): CheckResult {
  const remarks = [otherScripts(beside), ...fewerTests(result, beside)].filter((one) => one !== undefined);
  return remarks.length === 0 ? result : { ...result, summary: [result.summary, ...remarks].join("; ") };
}

function fewerTests(
  { facts }: CheckResult,
  { before, filesBefore, files }: ResultContext,
): readonly (string | undefined)[] {
  const [were, are] = [before?.facts?.tests, facts?.tests];
  const fewer = were !== undefined && are !== undefined && are < were ? `down from ${were} tests` : undefined;
  if (filesBefore === undefined || files === undefined) return [fewer];
  const changed = changedBetween(filesBefore, files).filter((path) => configures.test(path));
  const named =
    changed.length > 3 ? `${changed.slice(0, 3).join(", ")} and ${changed.length - 3} more` : changed.join(", ");
  return [fewer, changed.length === 0 ? undefined : `changed since then: ${named}`];
}

/** Files that decide which tests run, and how. */
const configures =
  /(?:^|\/)(?:package\.json|\.npmrc|[\w.-]+\.config\.[cm]?[jt]s|vitest\.workspace\.\w+|\.mocharc(?:\.\w+)?|karma\.conf\.\w+|tsconfig[\w.-]*\.json|pytest\.ini|pyproject\.toml|setup\.cfg|tox\.ini|conftest\.py|noxfile\.py|Cargo\.toml|go\.mod|Makefile|pom\.xml|build\.gradle(?:\.kts)?|\.rspec|phpunit\.xml(?:\.dist)?)$/;

function otherScripts({ trusted, behind }: ResultContext): string | undefined {
  if (trusted === undefined) return undefined;
  const names = [...new Set([...Object.keys(trusted), ...Object.keys(behind)])];
  const [other] = names.filter((name) => trusted[name] !== behind[name]);
  if (other === undefined) return undefined;
  const now = behind[other];
  const text =
    now === undefined ? `${other} is gone` : `${other} = ${now.length > 200 ? `${now.slice(0, 199)}…` : now}`;
  return `changed since it was trusted: ${text}`;
}
