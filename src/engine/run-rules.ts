import { rulesMeaning } from "../gates/rules-meaning.ts";
import { contentOnRecord } from "../workflow/content-on-record.ts";
import type { ContentRecord, StepRef, Violation } from "../workflow/events.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { HeldSubmission } from "./hold-content.ts";
import type { RuleFile } from "./ports/checks.ts";

/** The violations that rules found, and the digest of what the rules demand. */
export type RuleResults = { readonly violations: readonly Violation[]; readonly rules: string };

/** The files submitted now, and those named that cannot be read. */
export type NewFiles = Pick<HeldSubmission, "records" | "unread"> & { readonly ref: StepRef };

/** Runs the rules over everything on record and what is submitted now. */
export async function runRules(
  deps: EngineDeps,
  plan: Plan,
  stream: StreamSnapshot,
  workflow: string,
  now: NewFiles | null = null,
): Promise<RuleResults> {
  const rules = (await deps.definitions.rules?.of(workflow)) ?? [];
  const meaning = rulesMeaning(rules);
  if (rules.every(({ checks }) => checks.length === 0)) return { violations: [], rules: meaning };
  const { files, violations } = await recordedFiles(deps, plan, stream, workflow, now);
  // with no file there is nothing to break, and that must not count as a pass
  if (files.length === 0 && violations.length === 0)
    return {
      violations: [contentViolation(workflow, "no file is on record, so no rule could be checked")],
      rules: meaning,
    };
  const found = files.length === 0 ? [] : await deps.checkRules(rules, files);
  return { violations: [...violations, ...found], rules: meaning };
}

/** The newest record of every path that a workflow's rules may read; a file that changed since is a violation. */
async function recordedFiles(
  { id, content, definitions }: EngineDeps,
  plan: Plan,
  stream: StreamSnapshot,
  workflow: string,
  now: NewFiles | null,
): Promise<{ readonly files: readonly RuleFile[]; readonly violations: readonly Violation[] }> {
  const newest = new Map<string, { readonly ref: StepRef; readonly record: ContentRecord; readonly own: boolean }>();
  const add = (ref: StepRef, records: readonly ContentRecord[]): void => {
    for (const record of records) {
      const isOwn = ref.workflow === workflow && !record.readable && record.path !== definitions.record?.path(ref);
      newest.set(record.path, { ref, record, own: isOwn || newest.get(record.path)?.own === true });
    }
  };
  const known = new Set(plan.workflows.map(({ name }) => name));
  for (const { ref, records } of contentOnRecord(stream)) if (known.has(ref.workflow)) add(ref, records);
  if (now !== null) add(now.ref, now.records);
  const files: RuleFile[] = [];
  const violations = (now?.unread ?? []).map(({ path, reason }) => contentViolation(path, reason));
  for (const { ref, record, own } of newest.values()) {
    for (const file of await content.read(id, ref, [record])) {
      if ("text" in file) files.push({ path: file.path, text: file.text, own });
      else violations.push(contentViolation(file.path, file.problem));
    }
  }
  return { files, violations };
}

function contentViolation(file: string, message: string): Violation {
  return { rule: "content", severity: "error", file, message };
}
