import { join } from "node:path";
import type { RootContent } from "mdast";
import { isObject } from "../../evidence/json.ts";
import { listFolder } from "../folder.ts";
import { gateFilesIn, readGateIn } from "../gates/gate-file.ts";
import { parseYaml } from "../yaml.ts";
import { complaint, ofPhase } from "./complaint.ts";
import { misplacedKeys } from "./front-matter.ts";
import { definitionsOf, type FilePlace } from "./link.ts";
import { blocksOf } from "./markdown/blocks.ts";
import { joinLines, linesOf } from "./markdown/lines.ts";
import type { MarkdownDocument } from "./markdown/markdown.ts";
import { slippedPhases } from "./markdown/phase-slips.ts";
import { type PhaseSection, phaseSections, textOf } from "./markdown/sections.ts";
import { readMarkdown } from "./markdown/text-file.ts";
import { textIn } from "./metadata.ts";
import { numberingComplaints, taskComplaints } from "./numbering.ts";
import { outsideComplaints } from "./outside-phases.ts";
import { type PhaseGate, type PhasePlace, phaseGate } from "./phase-gate.ts";
import type { Draft, Phase } from "./phased-workflow.ts";
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
  const { before, ...read } = phasesIn(document, place, ({ nodes, number }, _, at) =>
    phaseGate(blocksOf(nodes), at, writtenGate(place, number)),
  );
  const complaints = [...misplacedKeys(document, place.path), ...read.complaints];
  return { type, ...headOf(type, document, before), phases: read.phases, complaints };
}

/** The phases of one document, each with its gate and tasks. */
export function phasesIn(
  document: MarkdownDocument,
  place: FilePlace,
  gateOf: (section: PhaseSection, tasks: readonly DocumentTask[], at: PhasePlace) => PhaseGate,
): Pick<Draft, "phases" | "complaints"> & { readonly before: readonly RootContent[] } {
  const sections = phaseSections(document);
  const { path, file, source } = place;
  const read = sections.phases.map((section) => {
    const { number, name, text: content, nodes, line } = section;
    const found = tasksIn(nodes, document.text, source);
    const { gate, complaints } = gateOf(section, found, { path, file, line });
    const tasks = found.map(({ number, name, content, source }) => ({ number, name, content, source }));
    const phase: Phase = { number, name, content, sources: [source], tasks, gate };
    return { phase, complaints: ofPhase(number, [...complaints, ...taskComplaints(found, path)]) };
  });
  const phases = read.map(({ phase }) => phase);
  const numbers = phases.map(({ number }) => number);
  return {
    phases,
    before: sections.before,
    complaints: [
      ...numberingComplaints(numbers, path, sections.twice.length > 0),
      ...sections.twice.map((line) => complaint("duplicate-phase", path, ...twice, { line })),
      ...slippedPhases(document, sections).map((line) => complaint("unnumbered-phase", path, ...slipped, { line })),
      ...outsideComplaints(sections, path),
      ...read.flatMap(({ complaints }) => complaints),
    ],
  };
}

const twice = ["the number of this phase stands at two headings", "Give each phase a number of its own."] as const;
const slipped = [
  "this line was meant to begin a phase and does not, so that what it asks for would not be asked",
  "Write ## Phase N: Name, with a space and a plain number, and close every fence before it.",
] as const;

/** The gate file of a phase beside the Markdown file, where somebody wrote one. */
function writtenGate(place: FilePlace, number: number): Parameters<typeof phaseGate>[2] {
  const folder = gatesBeside(place.path, number);
  const gate = readGateIn(folder, definitionsOf(place), "phase");
  return gate === undefined ? undefined : { gate, path: join(folder, gateFilesIn(listFolder(folder))[0] ?? "") };
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
  const title = textIn(front.title) ?? textIn(front.name) ?? (heading?.type === "heading" ? textOf(heading) : "");
  return { title: title === "" ? type : title, description: textIn(front.description) ?? said };
}
