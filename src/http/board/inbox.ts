import { approvalInWords } from "../../words/approval.ts";
import type { StepState } from "../../workflow/desk.ts";
import { evidenceOf } from "../pages/judging-data.ts";
import type { InboxItem } from "./board-data.ts";
import { line } from "./cut.ts";
import type { Looked } from "./desks.ts";
import { labelOf, rowOf } from "./rows.ts";

/** What of a run waits for a person: an item for each of its workflows that does. `handIn`: the how-manieth hand-in of its attempt it is. */
export function inboxItems(
  looked: Looked,
  handIn: (step: { readonly workflow: string; readonly step: string }) => number,
  now: Date,
): readonly InboxItem[] {
  const { id, desk, workflows } = looked;
  const row = rowOf(looked, now);
  if (row === undefined || desk.archivedAt !== null) return [];
  return workflows.flatMap(({ workflow, steps }) =>
    steps.flatMap((step): InboxItem[] => {
      const { waitingSince, waitingFor } = step;
      const state = desk.runs.get(workflow)?.steps.get(step.step);
      if (waitingSince === undefined || waitingFor === undefined || state === undefined) return [];
      return [
        {
          ...{ key: row.key, title: row.title, workflow, step: step.step },
          label: labelOf(id.kind, { workflow, step: step.step, title: step.title }),
          since: waitingSince,
          handIn: handIn({ workflow, step: step.step }),
          looked: lookedAt(state),
          needs: line(approvalInWords(waitingFor.needs), 240),
          summary: summaryOf(state),
        },
      ];
    }),
  );
}

function lookedAt(state: StepState): InboxItem["looked"] {
  const counts = { found: 0, agrees: 0, differs: 0, word: 0 };
  for (const { standing } of evidenceOf(state)) counts[standing] += 1;
  return counts;
}

/** So many values are told by themselves; of the others only how many there are. */
const told = 4;

/** What is handed in, in a line: the first short values, and how much there is besides. */
function summaryOf({ handed, checks = [] }: StepState): string {
  const { outputs = {}, evidence = {}, content = [] } = handed;
  const all = [...Object.entries(evidence), ...Object.entries(outputs)];
  const short = all.filter(([, value]) => isShort(value)).slice(0, told);
  const counted = (number: number, what: string): string[] =>
    number === 0 ? [] : [`${number} ${what}${number === 1 ? "" : "s"}`];
  const failed = checks.filter(({ status }) => status === "failed").length;
  const parts = [
    ...short.map(([field, value]) => line(`${field.slice(0, 60).replaceAll("_", " ")} ${value}`, 100)),
    ...counted(all.length - short.length, short.length === 0 ? "field" : "more field"),
    ...counted(content.length, "file"),
    ...counted(checks.length - failed, "check").map((text) => `${text} passed`),
    ...counted(failed, "check").map((text) => `${text} failed`),
  ];
  return parts.length === 0 ? "nothing but the word that it is done" : parts.join(" · ");
}

function isShort(value: unknown): boolean {
  return (
    typeof value === "number" ||
    typeof value === "boolean" ||
    (typeof value === "string" && value.length > 0 && value.length <= 60)
  );
}
