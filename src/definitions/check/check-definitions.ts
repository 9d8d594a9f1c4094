import { type FindingCode, findingCodes, type Severity } from "../codes.ts";
import { shownIn } from "../shown.ts";
import { readInside } from "../stand.ts";
import type { Finding, Noted } from "./finding.ts";
import { inspectActions } from "./inspect-actions.ts";
import { inspectApprovals } from "./inspect-approvals.ts";
import { inspectApprovers } from "./inspect-approvers.ts";
import { inspectBehaviors } from "./inspect-behaviors.ts";
import { inspectBots } from "./inspect-bots.ts";
import { inspectChecks } from "./inspect-checks.ts";
import { inspectEdits } from "./inspect-edits.ts";
import { inspectFiles } from "./inspect-files.ts";
import { inspectGates } from "./inspect-gates.ts";
import { inspectInstructions } from "./inspect-instructions.ts";
import { inspectKeys } from "./inspect-keys.ts";
import { inspectLeftOvers } from "./inspect-left-overs.ts";
import { inspectLoading } from "./inspect-loading.ts";
import { inspectProving } from "./inspect-proving.ts";
import { inspectRules } from "./inspect-rules.ts";
import { inspectSequences } from "./inspect-sequences.ts";
import { inspectStandards } from "./inspect-standards.ts";
import { inspectTools } from "./inspect-tools.ts";
import { inspectTriggers } from "./inspect-triggers.ts";
import { inspectUnread } from "./inspect-unread.ts";
import { inspectWorkflows } from "./inspect-workflows.ts";
import { type Surroundings, type Survey, surveyDefinitions } from "./survey.ts";

/** Finds everything that is wrong with a definitions folder, each thing once, by file and line. Writes nothing and never throws. */
export function checkDefinitions(definitionsFolder: string, surroundings: Surroundings): readonly Finding[] {
  return readInside(definitionsFolder, () => findAll(definitionsFolder, surroundings));
}

function findAll(definitionsFolder: string, surroundings: Surroundings): readonly Finding[] {
  const survey = surveyDefinitions(definitionsFolder);
  return inspectAll(survey, surroundings)
    .map(({ path, mend, ...noted }) => ({
      ...noted,
      severity: findingCodes[noted.code].severity,
      file: shownIn(survey.definitions, path),
      fixable: mend !== undefined,
    }))
    .sort(
      (a, b) =>
        byText(a.file, b.file) || a.line - b.line || rank[a.severity] - rank[b.severity] || byText(a.code, b.code),
    );
}

/** The same with the edits that mend what can be mended. */
export function inspectAll(survey: Survey, surroundings: Surroundings): readonly Noted[] {
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
    ...inspectProving(survey),
    ...inspectChecks(survey, surroundings),
    ...inspectEdits(survey, surroundings),
    ...inspectRules(survey, surroundings),
    ...inspectInstructions(survey),
    ...inspectLeftOvers(survey),
    ...inspectWorkflows(survey),
    ...inspectStandards(survey, surroundings),
    ...inspectApprovers(survey, surroundings),
    ...inspectApprovals(survey, surroundings),
  ];
  const all = [...found, ...inspectUnread(survey, surroundings, found)];
  // Two bots share their actions, and a closed file is met in every behavior.
  const first = new Map<string, Noted>();
  for (const noted of all) {
    const { code, path, line, message, mend } = noted;
    // A file that cannot be read is one thing, whoever trips over it.
    const same = JSON.stringify(unreadable.includes(code) ? [path] : [code, path, line, message, mend]);
    if (!first.has(same)) first.set(same, noted);
  }
  return [...first.values()];
}

const unreadable: readonly FindingCode[] = ["malformed-json", "empty-file"];

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
