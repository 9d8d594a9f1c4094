import { rulesMeaning } from "../evidence/rules-meaning.ts";
import { contentOnRecord } from "../workflow/content-on-record.ts";
import type { Desk } from "../workflow/desk.ts";
import type { ContentRecord, StepRef, Violation } from "../workflow/events.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { HeldIn } from "./hold-content.ts";
import type { CheckedFile } from "./ports.ts";

/** What the rules of a workflow found, and the name of what they demand. */
export type RulesRun = { readonly violations: readonly Violation[]; readonly rules: string };

/** Files that are handed in now: the newest word on their paths, and those that were named and cannot be read. */
export type HandedInNow = Pick<HeldIn, "records" | "unread"> & { readonly ref: StepRef };

/** Runs the rules a machine can check over everything on record, and what is handed in now. */
export async function runRules(
  parts: DeskParts,
  plan: Plan,
  desk: Desk,
  workflow: string,
  now: HandedInNow | null = null,
): Promise<RulesRun> {
  const rules = (await parts.definitions.rules?.of(workflow)) ?? [];
  const meaning = rulesMeaning(rules);
  if (rules.every(({ checks }) => checks.length === 0)) return { violations: [], rules: meaning };
  const { files, violations } = await filesOnRecord(parts, plan, desk, workflow, now);
  // Where nothing was handed in nothing can be broken, and that must not pass for a result.
  if (files.length === 0 && violations.length === 0)
    return { violations: [broken(workflow, "no file is on record, so no rule could be checked")], rules: meaning };
  const found = files.length === 0 ? [] : await parts.checkRules(rules, files);
  return { violations: [...violations, ...found], rules: meaning };
}

/** Every file on record that the rules of a workflow may look at: the newest record of each path. One that is not what was put on record is a violation. */
async function filesOnRecord(
  { id, content, definitions }: DeskParts,
  plan: Plan,
  desk: Desk,
  workflow: string,
  now: HandedInNow | null,
): Promise<{ readonly files: readonly CheckedFile[]; readonly violations: readonly Violation[] }> {
  const newest = new Map<string, { readonly ref: StepRef; readonly record: ContentRecord; readonly own: boolean }>();
  const add = (ref: StepRef, records: readonly ContentRecord[]): void => {
    for (const record of records) {
      const isOwn = ref.workflow === workflow && !record.readable && record.path !== definitions.record?.path(ref);
      newest.set(record.path, { ref, record, own: isOwn || newest.get(record.path)?.own === true });
    }
  };
  const known = new Set(plan.workflows.map(({ name }) => name));
  for (const { ref, records } of contentOnRecord(desk)) if (known.has(ref.workflow)) add(ref, records);
  if (now !== null) add(now.ref, now.records);
  const files: CheckedFile[] = [];
  const violations = (now?.unread ?? []).map(({ path, reason }) => broken(path, reason));
  for (const { ref, record, own } of newest.values()) {
    for (const file of await content.read(id, ref, [record])) {
      if ("text" in file) files.push({ path: file.path, text: file.text, own });
      else violations.push(broken(file.path, file.problem));
    }
  }
  return { files, violations };
}

function broken(file: string, message: string): Violation {
  return { rule: "content", severity: "error", file, message };
}
