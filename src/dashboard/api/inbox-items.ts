import { countText } from "../../kit/count-text.ts";
import { approvalText } from "../../messages/approval-texts.ts";
import { stepLabel } from "../../messages/stream-words.ts";
import type { StepState } from "../../workflow/stream-snapshot.ts";
import { recordedWaivers } from "../../workflow/waivers.ts";
import { cutLine } from "../overview/cut-values.ts";
import { countEvidence } from "../overview/evidence.ts";
import { runRow } from "../overview/run-row.ts";
import type { InboxItem } from "./board-data.ts";
import type { RunState } from "./board-runs.ts";

/** Lists what waits for a person in a run, one item per workflow; `handIn` is the number of the submission in its attempt. */
export function inboxItems(
  looked: RunState,
  submission: (step: { readonly workflow: string; readonly step: string }) => number,
  now: Date,
): readonly InboxItem[] {
  const { id, stream, workflows } = looked;
  const row = runRow(looked, now);
  if (row === undefined || stream.archivedAt !== null) return [];
  const ofParent = stream.session?.item === undefined ? "" : ` · item of ${stream.session.item.parent}`;
  return workflows.flatMap(({ workflow, steps }) =>
    steps.flatMap((step): InboxItem[] => {
      const { waitingSince, waitingFor, blocked } = step;
      const state = stream.runs.get(workflow)?.steps.get(step.step);
      if (waitingSince === undefined || state === undefined) return [];
      const needs = blocked === undefined ? waitingFor && approvalText(waitingFor.needs) : "an answer or a waiver";
      if (needs === undefined) return [];
      return [
        {
          ...{ key: row.key, title: row.title, workflow, step: step.step },
          label: cutLine(`${stepLabel(id, { workflow, ...step })}${ofParent}`),
          since: waitingSince,
          handIn: submission({ workflow, step: step.step }),
          looked: countEvidence(state),
          needs: cutLine(needs, 240),
          summary: blocked === undefined ? submissionSummary(state) : cutLine(blocked, 240),
          ...(state.waivers === undefined ? {} : { waived: recordedWaivers(state).length }),
          ...(blocked === undefined ? {} : { blocked: true }),
        },
      ];
    }),
  );
}

/** The number of values shown; the others are counted. */
const maxValuesShown = 4;

/** Summarizes a submission in one line: its first short values and counts of the rest. */
function submissionSummary({ submitted, checks = [] }: StepState): string {
  const { outputs = {}, evidence = {}, content = [] } = submitted;
  const all = [...Object.entries(evidence), ...Object.entries(outputs)];
  const short = all.filter(([, value]) => isShort(value)).slice(0, maxValuesShown);
  const counted = (number: number, what: string): string[] => (number === 0 ? [] : [countText(number, what)]);
  const failed = checks.filter(({ status }) => status === "failed").length;
  const parts = [
    ...short.map(([field, value]) => cutLine(`${field.slice(0, 60).replaceAll("_", " ")} ${value}`, 100)),
    ...counted(all.length - short.length, short.length === 0 ? "field" : "more field"),
    ...counted(content.length, "file"),
    ...counted(checks.length - failed, "check").map((text) => `${text} passed`),
    ...counted(failed, "check").map((text) => `${text} failed`),
  ];
  return parts.length === 0 ? "no evidence, only a claim that it is done" : parts.join(" · ");
}

function isShort(value: unknown): boolean {
  return (
    typeof value === "number" ||
    typeof value === "boolean" ||
    (typeof value === "string" && value.length > 0 && value.length <= 60)
  );
}
