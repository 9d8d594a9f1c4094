import type { Code, RootContent } from "mdast";
import { combinedApproval } from "../../gates/combine-gates.ts";
import { closedGate, type Gate, hasRequirements, hasSettings } from "../../gates/gate.ts";
import { defined } from "../../kit/defined.ts";
import { readGate } from "../gates/gate-definition.ts";
import { type GateError, gateErrorMeanings } from "../gates/gate-errors.ts";
import { examplesIn } from "./requirements/examples.ts";
import { type PhaseLine, type Prose, proseGate } from "./requirements/prose-gate.ts";
import { onlyAsked } from "./requirements/read-requirements.ts";
import { type WorkflowProblem, workflowProblem } from "./workflow-problem.ts";

/** The location of a phase's Markdown, on disk and as messages show it. */
export type PhaseLocation = { readonly path: string; readonly file: string; readonly line: number };

/** A phase's gate with its complaints, and every line of its Markdown that was read. */
export type PhaseGate = {
  readonly gate: Gate;
  readonly complaints: readonly WorkflowProblem[];
  readonly lines: readonly PhaseLine[];
};

/** A gate file of a phase, with its path; a block of a page comes with its errors. */
export type GateFile = { readonly gate: Gate; readonly path: string; readonly errors?: readonly GateError[] };

/** Builds a phase's gate from its gate file or block, otherwise from its Markdown and task files, and reports errors. */
export function phaseGate(
  nodes: readonly RootContent[],
  { path, file: name, line }: PhaseLocation,
  file?: GateFile,
  tasks: readonly Prose[] = [],
): PhaseGate {
  const read = proseGate([{ nodes, path, file: name }, ...tasks]);
  const block = file ?? gateBlock(nodes, path, name);
  const { edits, editsSource, routing } = block?.gate ?? {};
  // A gate file with edits or routes alone leaves the requirements to the Markdown.
  const isSilent =
    block !== undefined && hasSettings(block.gate) && block.gate.closed === undefined && !hasRequirements(block.gate);
  const written = isSilent ? undefined : block;
  const asked: Gate =
    written === undefined
      ? { ...read.gate, ...defined({ edits, editsSource, routing }) }
      : {
          ...written.gate,
          ...combinedApproval(written.gate, read.gate),
          examples: { ...examplesIn(nodes, written.gate.requirements), ...written.gate.examples },
        };
  const isEmpty = asked.closed === undefined && !hasRequirements(asked) && routing?.calls === undefined;
  const summary = onlyAsked({
    field: "summary",
    required: true,
    description: "What was done, and how it was verified",
    source: { file: name, line },
  });
  const gate = isEmpty ? { ...asked, requirements: [...asked.requirements, summary] } : asked;
  const complaints: WorkflowProblem[] = [];
  const complain = (...[code, at, message, fix, more]: Parameters<typeof workflowProblem>): number =>
    complaints.push(workflowProblem(code, at, message, fix, more));
  if (gate.closed !== undefined && block?.errors !== undefined)
    for (const { kind, message, line } of block.errors)
      complain(gateErrorMeanings[kind].code, path, message, gateErrorMeanings[kind].fix, {
        line,
      });
  else if (gate.closed !== undefined)
    complain("closed-gate", written?.path ?? path, gate.closed.message, "Fix the gate file.", {
      line: gate.closed.line ?? 1,
    });
  // Rules belong to a bot's behaviors, so a phase has none to check.
  else if (gate.rulesHold)
    complain(
      "requirement-not-understood",
      written?.path ?? path,
      "a phase has no rules to check",
      "Remove checks: [rules].",
    );
  if (isEmpty) complain("phase-without-requirement", path, nothingAsked, askIt, { line, closes: false });
  if (written === undefined)
    for (const { isRenamed, isBox, path, line, requirement } of read.lines)
      if (isRenamed && isBox)
        complain(
          "repeated-name",
          path,
          `two requirements have one name, so this one becomes ${requirement?.field}`,
          "Give it its own name in backticks.",
          { line, closes: false },
        );
  const lines = read.lines.map(
    (one): PhaseLine => (one.kind === "approval" ? one : { ...one, kind: "not read", hasGate: true }),
  );
  return { gate, lines: written === undefined ? read.lines : lines, complaints };
}

const nothingAsked = "the phase asks for nothing, so it asks for a summary of what was done";
const askIt =
  "Ask for evidence with checkboxes, a table, a list under a heading such as Exit criteria, or a gate-definition.yaml.";

/** Reads the fenced block `yaml gate` of a phase, which is its gate file; there can be only one. */
function gateBlock(nodes: readonly RootContent[], path: string, file: string): GateFile | undefined {
  const [block, other] = gateBlocks(nodes);
  if (block === undefined) return undefined;
  const at = block.position?.start.line ?? 1;
  const line = other?.position?.start.line ?? at;
  const { gate, complaints } = readGate(block.value, file, at);
  const twice = { kind: "key", line, message: "the phase has a second gate block", at: [] } as const;
  const errors = other === undefined ? complaints : [...complaints, twice];
  const [first] = errors;
  if (first === undefined) return { gate, path };
  const { kind, message } = first;
  return { gate: closedGate({ ...gateErrorMeanings[kind], file, message, line: first.line }), path, errors };
}

function gateBlocks(nodes: readonly RootContent[]): readonly Code[] {
  return nodes.flatMap((node): readonly Code[] => {
    if (node.type === "blockquote" || node.type === "list" || node.type === "listItem")
      return gateBlocks(node.children);
    const isGate = node.type === "code" && /^ya?ml$/i.test(node.lang ?? "") && /^gate\b/i.test(node.meta ?? "");
    return isGate ? [node] : [];
  });
}

/** The text of a phase or task without the gate blocks of a phase with routes: its assistant must not see where they lead. */
export function shownText(text: string, { routing }: Gate): string {
  return routing === undefined ? text : text.replaceAll(gateBlockText, "").trimEnd();
}

const gateBlockText =
  /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(`{3,}|~{3,})[ \t]*ya?ml[ \t]+gate\b[^\n]*\n[\s\S]*?(?:^[ \t>]*\1[`~]*[ \t]*$|(?![\s\S]))/gim;
