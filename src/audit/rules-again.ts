import type { CheckResult } from "../evidence/check.ts";
import { nameOf } from "../evidence/check-verdict.ts";
import type { Rule } from "../evidence/rule.ts";
import { rulesMeaning } from "../evidence/rules-meaning.ts";
import { contentOnRecord } from "../workflow/content-on-record.ts";
import type { Desk } from "../workflow/desk.ts";
import type { Violation } from "../workflow/events.ts";
import type { JudgedStep } from "./hold-walk.ts";
import { findings } from "./rests-on.ts";

/** The rules of a step as one check of it, with the files that they look at. */
export type RulesCheck = {
  readonly kind: "rules";
  readonly name: "rules";
  readonly rules: readonly Rule[];
  readonly files: readonly RuledFile[];
};

/** A file that was on record when the rules were run; `own`: handed in by the workflow that they belong to. */
export type RuledFile = { readonly path: string; readonly sha256: string; readonly own: boolean };

/** The check that the rules of a step are, and what it came to then; undefined where its gate does not ask for them. */
export function rulesOf(
  desk: Desk,
  { rules, completed }: JudgedStep,
): { readonly check: RulesCheck; readonly recorded: CheckResult } | undefined {
  if (rules === undefined) return undefined;
  const files = filesThen(desk, completed);
  const found = completed.violations?.length ?? 0;
  const check: RulesCheck = { kind: "rules", name: "rules", rules, files };
  return { check, recorded: rulesResult(check, "passed", findings(found), files) };
}

/** What rules came to, as the result of a check. Warnings do not keep a gate closed. */
export function rulesFound(
  check: RulesCheck,
  violations: readonly Violation[],
  files: readonly Omit<RuledFile, "own">[],
): CheckResult {
  const errors = violations.filter(({ severity }) => severity === "error");
  const said = errors.slice(0, 3).map(({ file, line, message }) => `${file}${line ? `:${line}` : ""}: ${message}`);
  const more = errors.length > said.length ? [`and ${errors.length - said.length} more`] : [];
  return errors.length === 0
    ? rulesResult(check, "passed", findings(violations.length), files)
    : rulesResult(check, "failed", [...said, ...more].join("; "), files);
}

function rulesResult(
  { rules }: RulesCheck,
  status: CheckResult["status"],
  summary: string,
  files: readonly Omit<RuledFile, "own">[],
): CheckResult {
  const reads = nameOf(files.map(({ path, sha256 }) => [path, sha256]));
  return { name: "rules", status, definition: rulesMeaning(rules), reads, summary };
}

/** The newest of each path that was on record then. */
function filesThen(desk: Desk, { workflow, at: then }: JudgedStep["completed"]): readonly RuledFile[] {
  const newest = new Map<string, RuledFile>();
  for (const { ref, records, at } of contentOnRecord(desk))
    for (const { path, sha256, readable } of at > then ? [] : records) {
      const isOwn = ref.workflow === workflow && readable !== true;
      newest.set(path, { path, sha256, own: isOwn || newest.get(path)?.own === true });
    }
  return [...newest.values()];
}
