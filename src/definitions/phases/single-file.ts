import { join } from "node:path";
import type { RootContent } from "mdast";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isObject } from "../../kit/json.ts";
import { parseYaml } from "../files/yaml.ts";
import { gateFilesIn, readGateIn } from "../gates/gate-file.ts";
import { listFolder } from "../snapshot/list-folder.ts";
import type { FileLocation } from "./file-location.ts";
import { blocksOf } from "./markdown/document-blocks.ts";
import type { MarkdownDocument } from "./markdown/markdown.ts";
import { misspelledPhases } from "./markdown/misspelled-phases.ts";
import { headingText, type PhaseSection, phaseSections } from "./markdown/sections.ts";
import { readMarkdown } from "./markdown/text-file.ts";
import { joinLines, linesOf } from "./markdown/text-lines.ts";
import { textIn } from "./metadata.ts";
import { misplacedKeys } from "./misplaced-keys.ts";
import { numberingComplaints, taskComplaints } from "./numbering.ts";
import { outsideComplaints } from "./outside-phases.ts";
import { type PhaseGate, type PhaseLocation, phaseGate } from "./phase-gate.ts";
import type { Phase, WorkflowDraft } from "./phased-workflow.ts";
import { type DocumentTask, tasksIn } from "./tasks/document-tasks.ts";
import { gateFolderBeside } from "./workflow-locations.ts";
import { withPhase, workflowProblem } from "./workflow-problem.ts";

/** Reads a workflow written in one Markdown file. */
export function readSingleFile(definitions: DefinitionSnapshot, type: string, place: FileLocation): WorkflowDraft {
  const document = readMarkdown(definitions, place.path);
  if ("unusable" in document) {
    const fix = "Write the workflow as Markdown text.";
    const complaints = [workflowProblem("cannot-be-used", place.path, document.unusable, fix)];
    return { type, title: type, description: "", phases: [], complaints };
  }
  const { before, ...read } = phasesIn(document, place, ({ nodes, number }, _, at) =>
    phaseGate(blocksOf(nodes), at, writtenGate(definitions, place, number)),
  );
  const complaints = [...misplacedKeys(document, place.path), ...read.complaints];
  return { type, ...headOf(type, document, before), phases: read.phases, complaints };
}

/** The phases of one document, each with its gate and tasks. */
export function phasesIn(
  document: MarkdownDocument,
  place: FileLocation,
  gateOf: (section: PhaseSection, tasks: readonly DocumentTask[], at: PhaseLocation) => PhaseGate,
): Pick<WorkflowDraft, "phases" | "complaints"> & { readonly before: readonly RootContent[] } {
  const sections = phaseSections(document);
  const { path, file, source } = place;
  const read = sections.phases.map((section) => {
    const { number, name, text: content, nodes, line } = section;
    const found = tasksIn(nodes, document.text, source);
    const { gate, complaints } = gateOf(section, found, { path, file, line });
    const tasks = found.map(({ number, name, content, source }) => ({ number, name, content, source }));
    const phase: Phase = { number, name, content, sources: [source], tasks, gate };
    return { phase, complaints: withPhase(number, [...complaints, ...taskComplaints(found, path)]) };
  });
  const phases = read.map(({ phase }) => phase);
  const numbers = phases.map(({ number }) => number);
  return {
    phases,
    before: sections.before,
    complaints: [
      ...numberingComplaints(numbers, path, sections.twice.length > 0),
      ...sections.twice.map((line) => workflowProblem("duplicate-phase", path, ...twice, { line })),
      ...misspelledPhases(document, sections).map((line) =>
        workflowProblem("unnumbered-phase", path, ...slipped, { line }),
      ),
      ...outsideComplaints(sections, path),
      ...read.flatMap(({ complaints }) => complaints),
    ],
  };
}

const twice = ["two headings have the number of this phase", "Give each phase its own number."] as const;
const slipped = [
  "this line looks like a phase heading but is not one, so its requirements would not be enforced",
  "Write ## Phase N: Name, with a space and a plain number, and close every fence before it.",
] as const;

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
  { frontMatter }: MarkdownDocument,
  before: readonly RootContent[],
): Pick<WorkflowDraft, "title" | "description"> {
  const yaml = parseYaml(frontMatter);
  const front = "value" in yaml && isObject(yaml.value) ? yaml.value : {};
  const heading = before.find((node) => node.type === "heading");
  const at = heading === undefined ? 0 : before.indexOf(heading) + 1;
  const next = before.slice(at).find((node) => node.type !== "html" && node.type !== "thematicBreak");
  const said = next?.type === "paragraph" ? joinLines(linesOf(next.children, 1)).text.trim() : "";
  const title = textIn(front.title) ?? textIn(front.name) ?? (heading?.type === "heading" ? headingText(heading) : "");
  return { title: title === "" ? type : title, description: textIn(front.description) ?? said };
}
