import type { CheckResult } from "../gates/check.ts";
import { canonicalText } from "../gates/check-verdict.ts";
import type { Rule } from "../gates/rule.ts";
import { rulesMeaning } from "../gates/rules-meaning.ts";
import { contentOnRecord } from "../workflow/content-on-record.ts";
import type { Violation } from "../workflow/events.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { JudgedStep } from "./judged-step.ts";
import { describeFindings } from "./proofs.ts";

/** The rules of a step as one check, with the files they cover. */
export type RulesCheck = {
  readonly kind: "rules";
  readonly name: "rules";
  readonly rules: readonly Rule[];
  readonly files: readonly RuledFile[];
};

/** A file on record when the rules ran; `own` if submitted by the workflow they belong to. */
export type RuledFile = { readonly path: string; readonly sha256: string; readonly own: boolean };

/** The rules of a step as a check and its recorded result; undefined if its gate has none. */
export function rulesOf(
  stream: StreamSnapshot,
  { rules, completed }: JudgedStep,
): { readonly check: RulesCheck; readonly recorded: CheckResult } | undefined {
  if (rules === undefined) return undefined;
  const files = filesOnRecord(stream, completed);
  const found = completed.violations?.length ?? 0;
  const check: RulesCheck = { kind: "rules", name: "rules", rules, files };
  return { check, recorded: rulesResult(check, "passed", describeFindings(found), files) };
}

/** The result of the rules as a check result; warnings do not fail it. */
export function rulesAsCheck(
  check: RulesCheck,
  violations: readonly Violation[],
  files: readonly Omit<RuledFile, "own">[],
): CheckResult {
  const errors = violations.filter(({ severity }) => severity === "error");
  const said = errors.slice(0, 3).map(({ file, line, message }) => `${file}${line ? `:${line}` : ""}: ${message}`);
  const more = errors.length > said.length ? [`and ${errors.length - said.length} more`] : [];
  return errors.length === 0
    ? rulesResult(check, "passed", describeFindings(violations.length), files)
    : rulesResult(check, "failed", [...said, ...more].join("; "), files);
}

function rulesResult(
  { rules }: RulesCheck,
  status: CheckResult["status"],
  summary: string,
  files: readonly Omit<RuledFile, "own">[],
): CheckResult {
  const reads = canonicalText(files.map(({ path, sha256 }) => [path, sha256]));
  return { name: "rules", status, definition: rulesMeaning(rules), reads, summary };
}

/** The newest version of each path on record then. */
function filesOnRecord(stream: StreamSnapshot, { workflow, at: then }: JudgedStep["completed"]): readonly RuledFile[] {
  const newest = new Map<string, RuledFile>();
  for (const { ref, records, at } of contentOnRecord(stream))
    for (const { path, sha256, readable } of at > then ? [] : records) {
      const isOwn = ref.workflow === workflow && readable !== true;
      newest.set(path, { path, sha256, own: isOwn || newest.get(path)?.own === true });
    }
  return [...newest.values()];
}
