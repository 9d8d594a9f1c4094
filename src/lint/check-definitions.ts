import { type FindingCode, findingCodes, type Severity } from "../definitions/finding-codes.ts";
import { displayPath } from "../definitions/snapshot/display-path.ts";
import type { DefinitionSnapshot } from "../engine/ports/definition-snapshot.ts";
import { inspectActions } from "./inspect/inspect-actions.ts";
import { inspectApprovals } from "./inspect/inspect-approvals.ts";
import { inspectApprovers } from "./inspect/inspect-approvers.ts";
import { inspectAutoProgress } from "./inspect/inspect-auto-progress.ts";
import { inspectBehaviors } from "./inspect/inspect-behaviors.ts";
import { inspectBots } from "./inspect/inspect-bots.ts";
import { inspectChecks } from "./inspect/inspect-checks.ts";
import { inspectEdits } from "./inspect/inspect-edits.ts";
import { inspectFiles } from "./inspect/inspect-files.ts";
import { inspectGates } from "./inspect/inspect-gates.ts";
import { inspectInstructions } from "./inspect/inspect-instructions.ts";
import { inspectKeys } from "./inspect/inspect-keys.ts";
import { inspectLoading } from "./inspect/inspect-loading.ts";
import { inspectPinned } from "./inspect/inspect-pinned.ts";
import { inspectPlaceholderText } from "./inspect/inspect-placeholder-text.ts";
import { inspectRules } from "./inspect/inspect-rules.ts";
import { inspectSequences } from "./inspect/inspect-sequences.ts";
import { inspectStandards } from "./inspect/inspect-standards.ts";
import { inspectTools } from "./inspect/inspect-tools.ts";
import { inspectTriggers } from "./inspect/inspect-triggers.ts";
import { inspectUnread } from "./inspect/inspect-unread.ts";
import { inspectWorkflows } from "./inspect/inspect-workflows.ts";
import { type CheckContext, type DefinitionsSurvey, loadForCheck } from "./load-for-check.ts";
import type { Finding, ReportedFinding } from "./reported-finding.ts";

/** Lists every finding in a definitions folder once, sorted by file and line; writes nothing and never throws. */
export function checkDefinitions(definitions: DefinitionSnapshot, surroundings: CheckContext): readonly Finding[] {
  const survey = loadForCheck(definitions);
  return inspectAll(survey, surroundings)
    .map(({ path, edit, ...noted }) => ({
      ...noted,
      severity: findingCodes[noted.code].severity,
      file: displayPath(definitions.folder, path),
      fixable: edit !== undefined,
    }))
    .sort(
      (a, b) =>
        byText(a.file, b.file) || a.line - b.line || rank[a.severity] - rank[b.severity] || byText(a.code, b.code),
    );
}

/** Lists the raw findings, with the edits that `--fix` can apply. */
export function inspectAll(survey: DefinitionsSurvey, surroundings: CheckContext): readonly ReportedFinding[] {
  const { root } = surroundings;
  const found = [
    ...inspectFiles(survey),
    ...inspectKeys(survey),
    ...inspectSequences(survey),
    ...inspectLoading(survey, root),
    ...inspectActions(survey),
    ...inspectBehaviors(survey),
    ...inspectBots(survey, root),
    ...inspectTools(survey, surroundings),
    ...inspectTriggers(survey),
    ...inspectGates(survey),
    ...inspectAutoProgress(survey),
    ...inspectChecks(survey, surroundings),
    ...inspectEdits(survey, surroundings),
    ...inspectRules(survey, surroundings),
    ...inspectInstructions(survey),
    ...inspectPlaceholderText(survey),
    ...inspectWorkflows(survey),
    ...inspectPinned(survey, surroundings.pinned),
    ...inspectStandards(survey, surroundings),
    ...inspectApprovers(survey, surroundings),
    ...inspectApprovals(survey, surroundings),
  ];
  const all = [...found, ...inspectUnread(survey, surroundings, found)];
  // Bots share actions, so the same closed file shows up in every behavior.
  const first = new Map<string, ReportedFinding>();
  for (const noted of all) {
    const { code, path, line, message, edit } = noted;
    // An unreadable file is reported once, no matter how many inspections run into it.
    const same = JSON.stringify(unreadable.includes(code) ? [path] : [code, path, line, message, edit]);
    if (!first.has(same)) first.set(same, noted);
  }
  return [...first.values()];
}

const unreadable: readonly FindingCode[] = ["malformed-json", "empty-file"];

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
