import { join } from "node:path";
import type { RootContent } from "mdast";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { JsonObject } from "../../kit/json.ts";
import { namesAnyPhase } from "../disclosure/hide-phases.ts";
import { yamlMapping } from "../files/yaml.ts";
import { gateFilesIn, readGateIn } from "../gates/gate-file.ts";
import { listFolder } from "../snapshot/list-folder.ts";
import { readDeclarations } from "./declarations.ts";
import type { FileLocation } from "./file-location.ts";
import type { MarkdownDocument } from "./markdown/markdown.ts";
import { phaseTitle } from "./markdown/phase-headings.ts";
import { type PhaseSection, phaseSections, textAt } from "./markdown/sections.ts";
import { readMarkdown } from "./markdown/text-file.ts";
import { plainText } from "./markdown/text-lines.ts";
import { textIn } from "./metadata.ts";
import { misplacedKeys } from "./misplaced-keys.ts";
import { taskComplaints } from "./numbering.ts";
import { type PhaseGate, type PhaseLocation, phaseGate, shownText } from "./phase-gate.ts";
import type { Phase, WorkflowDraft } from "./phased-workflow.ts";
import type { PhaseLine } from "./requirements/prose-gate.ts";
import { readRequirements } from "./requirements/read-requirements.ts";
import { type DocumentTask, tasksIn } from "./tasks/document-tasks.ts";
import { gateFolderBeside } from "./workflow-locations.ts";
import { type WorkflowProblem, withPhase, workflowProblem } from "./workflow-problem.ts";

/** Reads a workflow written in one Markdown file. */
export function readSingleFile(definitions: DefinitionSnapshot, type: string, place: FileLocation): WorkflowDraft {
  const document = readMarkdown(definitions, place.path);
  if ("unusable" in document) {
    const fix = "Write the workflow as Markdown text.";
    const complaints = [workflowProblem("cannot-be-used", place.path, document.unusable, fix)];
    return { type, title: type, description: "", phases: [], lines: [], complaints };
  }
  const { before, ...read } = phasesIn(document, place, ({ nodes, number }, _, at) =>
    phaseGate(nodes, at, writtenGate(definitions, place, number)),
  );
  const front = yamlMapping(document.frontMatter);
  const declared: WorkflowProblem[] = [];
  const declarations = readDeclarations(front, (key, message) => {
    const line = document.frontMatter.split("\n").findIndex((one) => one.startsWith(`${key}:`)) + 2;
    declared.push(workflowProblem("wrong-type", place.path, message, "Fix the front matter.", { line }));
  });
  const complaints = [...misplacedKeys(document, place.path), ...declared, ...read.complaints];
  return { type, ...headOf(type, front, before), ...declarations, phases: read.phases, lines: read.lines, complaints };
}

/** The phases of one document, each with its gate and tasks. */
export function phasesIn(
  document: MarkdownDocument,
  place: FileLocation,
  gateOf: (section: PhaseSection, tasks: readonly DocumentTask[], at: PhaseLocation) => PhaseGate,
  isList = false,
): Pick<WorkflowDraft, "phases" | "complaints" | "lines"> & {
  readonly before: readonly RootContent[];
  readonly isWhole: boolean;
} {
  const sections = phaseSections(document, isList);
  const { path, file, source } = place;
  const read = sections.phases.map((section) => {
    const { number, name, text: content, nodes, line } = section;
    const found = tasksIn(nodes, document.text, source);
    const { gate, complaints, lines } = gateOf(section, found, { path, file, line });
    const tasks = found.map(({ number, name, content, source }) => ({
      number,
      name,
      content: shownText(content, gate),
      source,
    }));
    const phase: Phase = { number, name, content: shownText(content, gate), sources: [source], tasks, gate };
    return {
      phase,
      lines: withPhase(number, lines),
      complaints: withPhase(number, [...complaints, ...taskComplaints(found, path)]),
    };
  });
  const phases = read.map(({ phase }) => phase);
  const intro = introduction(sections.before, document.text, phases);
  return {
    phases: phases.map((phase, at) =>
      at === 0 && intro !== "" ? { ...phase, content: `${intro}\n\n${phase.content}` } : phase,
    ),
    before: sections.isWhole ? document.tree.children : sections.before,
    isWhole: sections.isWhole,
    lines: [
      ...withPhase(phases[0]?.number ?? 1, unreadLines(sections.before, path)),
      ...read.flatMap(({ lines }) => lines),
    ],
    complaints: [
      ...(sections.isWhole
        ? [
            workflowProblem("one-phase", path, "the page has no phase headings, so it is one phase", headIt, {
              closes: false,
            }),
          ]
        : []),
      ...sections.renumbered.map(({ line, number }) =>
        workflowProblem("phases-renumbered", path, `this heading starts phase ${number} by its place`, inOrder, {
          line,
          closes: false,
        }),
      ),
      ...sections.unread.map((line) =>
        workflowProblem(
          "phases-renumbered",
          path,
          "this heading starts no phase, unlike those written otherwise",
          alike,
          {
            line,
            closes: false,
          },
        ),
      ),
      ...read.flatMap(({ complaints }) => complaints),
    ],
  };
}

/** The lines before the first phase that would ask for something in one. */
function unreadLines(before: readonly RootContent[], path: string): PhaseLine[] {
  return readRequirements(before.filter((node) => node.type !== "heading" || node.depth > 1)).map(({ text, line }) => ({
    kind: "not read",
    text,
    line,
    path,
  }));
}

const headIt = "Start each phase with a heading such as ## Phase 1: Name.";
const inOrder = "Number the phases in order from 0 or 1, without gaps or repetitions.";

const alike = "Write all phases in one way, such as ## Phase 1: Name, or give this heading no number.";

/** The text before the first phase, without blocks that name something from a phase. */
function introduction(before: readonly RootContent[], text: string, phases: readonly Phase[]): string {
  const later = phases.slice(1);
  const isRevealing = (said: string): boolean =>
    namesAnyPhase(said, later) || later.some(({ name }) => name.length > 3 && said.includes(name));
  const shown = [...before.keys()].filter((at) => {
    const heading = before.findLast((node, index) => index <= at && node.type === "heading");
    const isOverview = heading?.type === "heading" && phaseTitle(plainText(heading)) !== undefined;
    return !isOverview && !isRevealing(textAt([at], before, text));
  });
  return textAt(shown, before, text).trim();
}

/** The gate file of a phase beside the Markdown file, if there is one. */
function writtenGate(
  definitions: DefinitionSnapshot,
  place: FileLocation,
  number: number,
): Parameters<typeof phaseGate>[2] {
  const folder = gateFolderBeside(place.path, number);
  const gate = readGateIn(definitions, folder, "phase");
  return gate === undefined
    ? undefined
    : { gate, path: join(folder, gateFilesIn(listFolder(definitions, folder))[0] ?? "") };
}

/** Title and description from the front matter, otherwise from the first heading and the paragraph after it. */
function headOf(
  type: string,
  front: JsonObject,
  before: readonly RootContent[],
): Pick<WorkflowDraft, "title" | "description"> {
  const heading = before.find((node) => node.type === "heading");
  const at = heading === undefined ? 0 : before.indexOf(heading) + 1;
  const next = before.slice(at).find((node) => node.type !== "html" && node.type !== "thematicBreak");
  const said = next?.type === "paragraph" ? plainText(next) : "";
  const title = textIn(front.title) ?? textIn(front.name) ?? (heading?.type === "heading" ? plainText(heading) : "");
  return { title: title === "" ? type : title, description: textIn(front.description) ?? said };
}
