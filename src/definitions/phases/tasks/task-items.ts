import type { Calls } from "../../../gates/calls.ts";
import type { Gate } from "../../../gates/gate.ts";
import { digestOf } from "../../../kit/json.ts";
import type { ListedTask, TaskList } from "../../items/found-task.ts";
import { numbered } from "../../items/task-lines.ts";
import type { Phase, PhasedWorkflow } from "../phased-workflow.ts";
import type { PhaseLine } from "../requirements/prose-gate.ts";
import { onlyAsked } from "../requirements/read-requirements.ts";

/** The phase of a list without phases: its tasks are the items of one step, each a session of its own. */
export function phaseOfTasks(file: string, number: number): Phase {
  const content = `Do every task of ${file}, each as an item of its own, in the order of its dependencies.`;
  const gate = { ...emptyGate, routing: { calls: callsFor(file), source: { file, line: 1 } } };
  return { number, name: "Tasks", content, sources: [file], tasks: [], gate };
}

/**
 * A phase of a list with its tasks as items. Its gate keeps what else the phase asks for. A phase whose tasks have criteria, a named
 * field or an approval keeps its whole gate, since an item is asked for a summary only.
 */
export function withItems(phase: Phase, lines: readonly PhaseLine[], { tasks, unread }: TaskList, file: string): Phase {
  if (tasks.length === 0 || unread.length > 0 || phase.gate.routing !== undefined) return phase;
  if (lines.some((line) => tasks.some((task) => isCriterion(line, task)))) return phase;
  const isParent = (text: string): boolean => {
    const id = numbered.exec(text)?.[1];
    return id !== undefined && tasks.some((task) => task.id.startsWith(`${id}.`));
  };
  const requirements = phase.gate.requirements.filter(({ source, field }) => {
    const asking = lines.find((one) => one.line === source?.line && one.requirement?.field === field);
    const isMade = asking === undefined && field === "summary" && phase.gate.isFromProse === true;
    return !isMade && !isParent(asking?.text ?? "") && !tasks.some(({ line }) => line === source?.line);
  });
  const routing = { calls: callsFor(file, phase.number), source: { file, line: tasks[0]?.line ?? 1 } };
  return { ...phase, gate: { ...phase.gate, requirements, routing } };
}

/** Tells if a line asks for something of a task itself: below it, or beside its words. */
function isCriterion(line: PhaseLine, { line: first, text, isNumbered }: ListedTask): boolean {
  const { kind, isNamed = false, isRequest = false, requirement } = line;
  if (kind === "not read") return false;
  if (line.line !== first) return line.line > first && line.line < first + text.split("\n").length;
  // "1.2 Create `users`" names no field.
  const isField = isNamed && (!isNumbered || line.text.includes(`\`${requirement?.field}\`:`));
  return kind === "approval" || isRequest || isField;
}

function callsFor(file: string, phase?: number): Calls {
  const each = phase === undefined ? { file } : { file, phase };
  return {
    workflow: taskWorkflow.type,
    each,
    after: "depends_on",
    parallel: 20,
    with: {},
    accept: ["done"],
    collect: [],
  };
}

const emptyGate: Gate = { requirements: [], comparisons: [], examples: {}, rulesHold: false, approval: false };

/** The workflow of one task of a list. */
const taskPhase: Phase = {
  number: 1,
  name: "Do the task",
  content: "{{item.text}}",
  sources: [],
  tasks: [],
  gate: {
    ...emptyGate,
    requirements: [
      onlyAsked({ field: "summary", required: true, description: "What was done, and how it was verified" }),
    ],
  },
};
const taskDraft = { type: "task", title: "Task", description: "", phases: [taskPhase] };
const taskWorkflow: PhasedWorkflow = { ...taskDraft, hash: digestOf(taskDraft) };

/** The workflow that each task of a list is a session of. */
export const taskWorkflows = { [taskWorkflow.type]: taskWorkflow };
