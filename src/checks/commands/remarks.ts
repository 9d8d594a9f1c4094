import type { CheckResult } from "../../evidence/check.ts";
import { changedBetween, type FilesRead } from "../files/reads.ts";

/** What a result is held beside: the one before it, and what was trusted. */
export type Beside = {
  readonly before: CheckResult | undefined;
  readonly filesBefore: FilesRead | undefined;
  readonly files: FilesRead | undefined;
  readonly trusted: Readonly<Record<string, string>> | undefined;
  readonly behind: Readonly<Record<string, string>>;
};

/** Puts into the summary what no check can judge and a person should hear: fewer tests, another configuration, another script. */
export function withRemarks(result: CheckResult, beside: Beside): CheckResult {
  const remarks = [otherScripts(beside), ...fewerTests(result, beside)].filter((one) => one !== undefined);
  return remarks.length === 0 ? result : { ...result, summary: [result.summary, ...remarks].join("; ") };
}

function fewerTests({ facts }: CheckResult, { before, filesBefore, files }: Beside): readonly (string | undefined)[] {
  const [were, are] = [before?.facts?.tests, facts?.tests];
  const fewer = were !== undefined && are !== undefined && are < were ? `there were ${were} tests before` : undefined;
  if (filesBefore === undefined || files === undefined) return [fewer];
  const changed = changedBetween(filesBefore, files).filter((path) => configures.test(path));
  const named =
    changed.length > 3 ? `${changed.slice(0, 3).join(", ")} and ${changed.length - 3} more` : changed.join(", ");
  return [fewer, changed.length === 0 ? undefined : `changed since then: ${named}`];
}

/** Files that decide which tests a runner runs, and how. */
const configures =
  /(?:^|\/)(?:package\.json|\.npmrc|[\w.-]+\.config\.[cm]?[jt]s|vitest\.workspace\.\w+|\.mocharc(?:\.\w+)?|karma\.conf\.\w+|tsconfig[\w.-]*\.json|pytest\.ini|pyproject\.toml|setup\.cfg|tox\.ini|conftest\.py|noxfile\.py|Cargo\.toml|go\.mod|Makefile|pom\.xml|build\.gradle(?:\.kts)?|\.rspec|phpunit\.xml(?:\.dist)?)$/;

function otherScripts({ trusted, behind }: Beside): string | undefined {
  if (trusted === undefined) return undefined;
  const names = [...new Set([...Object.keys(trusted), ...Object.keys(behind)])];
  const [other] = names.filter((name) => trusted[name] !== behind[name]);
  if (other === undefined) return undefined;
  const now = behind[other];
  const text =
    now === undefined ? `${other} is gone` : `${other} = ${now.length > 200 ? `${now.slice(0, 199)}…` : now}`;
  return `not what was behind it when it was trusted: ${text}`;
}
