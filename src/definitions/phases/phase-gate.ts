import type { RootContent } from "mdast";
import { combinedApproval } from "../../gates/combine-gates.ts";
import { closedGate, type Gate, hasRequirements, hasSettings, type Requirement } from "../../gates/gate.ts";
import { defined } from "../../kit/defined.ts";
import { readGate } from "../gates/gate-definition.ts";
import { gateErrorMeanings } from "../gates/gate-errors.ts";
import { examplesIn } from "./requirements/examples.ts";
import { both, type ProseGate, proseGate } from "./requirements/prose-gate.ts";
import { type LineRead, onlyAsked } from "./requirements/read-requirements.ts";
import { type WorkflowProblem, workflowProblem } from "./workflow-problem.ts";

/** The location of a phase's Markdown, on disk and as messages show it. */
export type PhaseLocation = { readonly path: string; readonly file: string; readonly line: number };

/** A phase's gate with its complaints, and every line of its Markdown that was read. */
export type PhaseGate = {
  readonly gate: Gate;
  readonly complaints: readonly WorkflowProblem[];
  readonly lines: readonly PhaseLine[];
};

/** A line of a phase's Markdown as it was read, with its file. */
export type PhaseLine = LineRead & { readonly path: string };

/** A gate file of a phase, with its path. */
type GateFile = { readonly gate: Gate; readonly path: string };

/** Builds a phase's gate from its gate file or block, otherwise from its Markdown, and reports errors. */
export function phaseGate(
  nodes: readonly RootContent[],
  place: PhaseLocation,
  file?: GateFile,
  tasks: readonly TaskGate[] = [],
): PhaseGate {
  const read = withTasks(proseGate(nodes, place.file), tasks);
  const block = file === undefined ? gateBlock(nodes, place) : file;
  // A gate file with edits or routes alone leaves the requirements to the Markdown.
  const isSilent =
    block !== undefined && hasSettings(block.gate) && block.gate.closed === undefined && !hasRequirements(block.gate);
  const written = isSilent ? undefined : block;
  const own =
    written === undefined
      ? read.gate
      : withDocument(written.gate, read.gate, examplesIn(nodes, written.gate.requirements));
  const asked = written === undefined ? { ...own, ...settingsOf(block?.gate) } : own;
  const isEmpty = asked.closed === undefined && !hasRequirements(asked);
  const gate = isEmpty
    ? {
        ...asked,
        requirements: [
          ...asked.requirements,
          onlyAsked({ ...summary, source: { file: place.file, line: place.line } }),
        ],
      }
    : asked;
  const lines = [...read.lines.map((line) => ({ ...line, path: place.path })), ...tasks.flatMap((task) => task.lines)];
  return {
    gate,
    lines:
      written === undefined
        ? lines
        : lines.map((line) => (line.kind === "approval" ? line : { ...line, kind: "not read" as const })),
    complaints: [
      ...(gate.closed === undefined
        ? []
        : [
            workflowProblem("closed-gate", written?.path ?? place.path, gate.closed.message, "Fix the gate file.", {
              line: gate.closed.line ?? 1,
            }),
          ]),
      // Rules belong to a bot's behaviors, so a phase has none to check.
      ...(gate.rulesHold && gate.closed === undefined
        ? [
            workflowProblem(
              "requirement-not-understood",
              written?.path ?? place.path,
              noRules,
              "Remove checks: [rules].",
            ),
          ]
        : []),
      ...(isEmpty
        ? [
            workflowProblem("phase-without-requirement", place.path, nothingAsked, askIt, {
              line: place.line,
              closes: false,
            }),
          ]
        : []),
      ...(written === undefined ? read.repeated : []).map(({ line, field }) =>
        workflowProblem(
          "repeated-name",
          place.path,
          `two requirements have one name, so this one becomes ${field}`,
          "Give it its own name in backticks.",
          { line, closes: false },
        ),
      ),
    ],
  };
}

/** The requirement of a phase that asks for nothing. */
const summary = { field: "summary", required: true, description: "What was done, and how it was verified" };
const noRules = "a phase has no rules to check";
const nothingAsked = "the phase asks for nothing, so it asks for a summary of what was done";
const askIt =
  "Ask for evidence with checkboxes, a table, a list under a heading such as Exit criteria, or a gate-definition.yaml.";

function settingsOf(gate: Gate | undefined): Pick<Gate, "edits" | "editsSource" | "routing"> {
  const { edits, editsSource, routing } = gate ?? {};
  return defined({ edits, editsSource, routing });
}

/** A gate file with the approval and the examples of the Markdown beside it. */
function withDocument(gate: Gate, read: Gate, examples: Gate["examples"]): Gate {
  return { ...gate, ...combinedApproval(gate, read), examples: { ...examples, ...gate.examples } };
}

/** Reads the fenced block `yaml gate` of a phase, which is its gate file. */
function gateBlock(nodes: readonly RootContent[], { path, file }: PhaseLocation): GateFile | undefined {
  for (const node of nodes) {
    if (node.type !== "code" || !/^ya?ml$/i.test(node.lang ?? "") || !/^gate\b/i.test(node.meta ?? "")) continue;
    const start = node.position?.start.line ?? 0;
    const read = readGate(node.value, file, start);
    const [first] = read.complaints;
    if (first === undefined) return { gate: read.gate, path };
    return {
      gate: closedGate({ ...gateErrorMeanings[first.kind], file, line: first.line, message: first.message }),
      path,
    };
  }
  return undefined;
}

/** The text of a phase without the gate blocks of a phase with routes: its assistant must not see where they lead. */
export function shownText(text: string, { routing }: Gate): string {
  return routing === undefined ? text : text.replaceAll(gateBlockText, "").trimEnd();
}

const gateBlockText =
  /^[ \t]*(`{3,}|~{3,})[ \t]*ya?ml[ \t]+gate\b[^\n]*\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gim;

/** The gate of a task's Markdown, with its complaints. */
export type TaskGate = { readonly read: ProseGate; readonly lines: readonly PhaseLine[] };

/** Adds the requirements of task files to those of a phase. */
function withTasks(phase: ProseGate, tasks: readonly TaskGate[]): ProseGate {
  const gates = [phase.gate, ...tasks.map(({ read }) => read.gate)];
  const fields = new Map<string, Requirement>();
  for (const one of gates.flatMap(({ requirements }) => requirements)) {
    const known = fields.get(one.field);
    fields.set(one.field, known === undefined ? one : both(known, one));
  }
  return {
    ...phase,
    gate: {
      ...phase.gate,
      ...gates.reduce(combineApprovals),
      requirements: [...fields.values()],
      comparisons: gates.flatMap(({ comparisons }) => comparisons),
      examples: Object.assign({}, ...gates.toReversed().map(({ examples }) => examples)),
    },
  };
}

function combineApprovals(first: Gate, second: Gate): Gate {
  return { ...first, ...combinedApproval(first, second) };
}
