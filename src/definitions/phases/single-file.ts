import { join } from "node:path";
import type { RootContent } from "mdast";
import type { Gate } from "../../evidence/gate.ts";
import { isObject } from "../../evidence/json.ts";
import { listFolder } from "../folder.ts";
import { gateFilesIn, readGateIn } from "../gates/gate-file.ts";
import { parseYaml } from "../yaml.ts";
import { type Complaint, complaint } from "./complaint.ts";
import { definitionsOf, type FilePlace } from "./link.ts";
import { blocksOf } from "./markdown/blocks.ts";
import { joinLines, linesOf } from "./markdown/lines.ts";
import type { MarkdownDocument } from "./markdown/markdown.ts";
import { slippedPhases } from "./markdown/phase-slips.ts";
import { type PhaseSection, phaseSections, textOf } from "./markdown/sections.ts";
import { readMarkdown } from "./markdown/text-file.ts";
import { numberingComplaints, taskComplaints } from "./numbering.ts";
import { type PhaseGate, type PhasePlace, phaseGate } from "./phase-gate.ts";
import type { Draft, Phase, PhaseTask } from "./phased-workflow.ts";
import { type DocumentTask, tasksIn } from "./tasks/document-tasks.ts";
import { gatesBeside } from "./workflow-places.ts";

/** Reads a workflow that stands whole in one Markdown file. */
export function readSingleFile(type: string, place: FilePlace): Draft {
  const document = readMarkdown(place.path, place);
  if ("unusable" in document) {
    const fix = "Write the workflow as Markdown text.";
    const complaints = [complaint("cannot-be-used", place.path, document.unusable, fix)];
    return { type, title: type, description: "", phases: [], complaints };
  }
  const { phases, complaints, before } = phasesIn(document, place, (section, _tasks, at) =>
    sectionGate(section, at, writtenGate(place, section.number)),
  );
  return { type, ...headOf(type, document, before), phases, complaints };
}

/** The phases of one document, each with its gate and tasks. */
export function phasesIn(
  document: MarkdownDocument,
  place: FilePlace,
  gateOf: (section: PhaseSection, tasks: readonly DocumentTask[], at: PhasePlace) => PhaseGate = (
    section,
    _tasks,
    at,
  ) => sectionGate(section, at),
): {
  readonly phases: readonly Phase[];
  readonly complaints: readonly Complaint[];
  readonly before: readonly RootContent[];
} {
  const sections = phaseSections(document);
  const read = sections.phases.map((section) => {
    const tasks = tasksIn(section.nodes, document.text, place.source);
    const { gate, complaints } = gateOf(section, tasks, { path: place.path, file: place.file, line: section.line });
    const phase: Phase = {
      number: section.number,
      name: section.name,
      content: section.text,
      sources: [place.source],
      tasks: tasks.map(plainTask),
      gate,
    };
    return { phase, complaints: [...complaints, ...taskComplaints(tasks, place.path)] };
  });
  const phases = read.map(({ phase }) => phase);
  const numbers = phases.map(({ number }) => number);
  const { path } = place;
  return {
    phases,
    before: sections.before,
    complaints: [
      ...numberingComplaints(numbers, path, sections.twice.length > 0),
      ...sections.twice.map((line) => complaint("duplicate-phase", path, ...twice, { line })),
      ...slippedPhases(document, sections).map((line) => complaint("unnumbered-phase", path, ...slipped, { line })),
      ...sections.stray.map(({ line, asks }) => {
        const message = `what stands from here on is part of no phase${asks ? `: ${unasked}` : " and is never shown"}`;
        return complaint("text-outside-phases", path, message, outside, { line, closes: false });
      }),
      ...read.flatMap(({ complaints }) => complaints),
    ],
  };
}

const twice = ["the number of this phase stands at two headings", "Give each phase a number of its own."] as const;
const slipped = [
  "this line was meant to begin a phase and does not, so that what it asks for would not be asked",
  "Write ## Phase N: Name, with a space and a plain number, and close every fence before it.",
] as const;
const unasked = "it is never shown, and what it asks for is not asked";
const outside = "Put it under a phase's heading, or before the first phase.";

function sectionGate(section: PhaseSection, place: PhasePlace, written?: WrittenGate): PhaseGate {
  return phaseGate(blocksOf(section.nodes), place, written);
}

type WrittenGate = { readonly gate: Gate; readonly path: string };

/** The gate file of a phase beside the Markdown file, where somebody wrote one. */
function writtenGate(place: FilePlace, number: number): WrittenGate | undefined {
  const folder = gatesBeside(place.path, number);
  const [name] = gateFilesIn(listFolder(folder));
  const gate = name === undefined ? undefined : readGateIn(folder, definitionsOf(place), "phase");
  return gate === undefined ? undefined : { gate, path: join(folder, name ?? "") };
}

function plainTask({ number, name, content, source }: PhaseTask): PhaseTask {
  return { number, name, content, source };
}

/** Title and description: from the front matter, else the first heading and the paragraph right after it. */
function headOf(
  type: string,
  { frontMatter }: MarkdownDocument,
  before: readonly RootContent[],
): Pick<Draft, "title" | "description"> {
  const yaml = parseYaml(frontMatter);
  const front = "value" in yaml && isObject(yaml.value) ? yaml.value : {};
  const heading = before.find((node) => node.type === "heading");
  const at = heading === undefined ? 0 : before.indexOf(heading) + 1;
  const next = before.slice(at).find((node) => node.type !== "html" && node.type !== "thematicBreak");
  const said = next?.type === "paragraph" ? joinLines(linesOf(next.children, 1)).text.trim() : "";
  const text = (value: unknown): string | undefined =>
    typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  const title = text(front.title) ?? text(front.name) ?? (heading?.type === "heading" ? textOf(heading) : "");
  return { title: title === "" ? type : title, description: text(front.description) ?? said };
}
