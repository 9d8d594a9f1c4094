import { basename, join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { closedGate } from "../../gates/gate.ts";
import { gateFilesIn, readGateIn } from "../gates/gate-file.ts";
import { listFolder } from "../snapshot/list-folder.ts";
import type { FileLocation } from "./file-location.ts";
import { linkedDocuments } from "./linked-documents.ts";
import { phaseTitle } from "./markdown/phase-headings.ts";
import { readMarkdown } from "./markdown/text-file.ts";
import { plainText } from "./markdown/text-lines.ts";
import { misplacedKeys } from "./misplaced-keys.ts";
import { taskComplaints } from "./numbering.ts";
import { phaseGate, shownText } from "./phase-gate.ts";
import type { Phase } from "./phased-workflow.ts";
import type { PhaseLine } from "./requirements/prose-gate.ts";
import { readTask } from "./tasks/task-files.ts";
import { type WorkflowProblem, workflowProblem } from "./workflow-problem.ts";

/** Reads one phase's folder: phase.md, its tasks and its gate. */
export function readPhaseFolder(
  definitions: DefinitionSnapshot,
  number: number,
  place: FileLocation,
  listedName: string,
): { readonly phase: Phase; readonly lines: readonly PhaseLine[]; readonly complaints: readonly WorkflowProblem[] } {
  const listing = listFolder(definitions, place.path);
  const name =
    listing.files.find((file) => file === "phase.md") ??
    listing.files.find((file) => file.toLowerCase() === "phase.md");
  const read = listing.files.filter((file) => file !== name).flatMap((file) => readTask(definitions, file, place));
  const tasks = read.flatMap(({ task }) => task ?? []).sort((a, b) => a.number - b.number);
  const complaints = [...read.flatMap((one) => one.complaints), ...taskComplaints(tasks, place.path)];
  const base = { number, tasks, sources: [`${place.source}/${name ?? "phase.md"}`] };
  const path = join(place.path, name ?? "phase.md");
  const document = name === undefined ? { unusable: "the phase has no phase.md" } : readMarkdown(definitions, path);
  if ("unusable" in document) {
    const code = name === undefined ? "missing-phase-file" : "cannot-be-used";
    const { unusable: message } = document;
    const fix = "Write phase.md: what to do and what to prove.";
    const gate = closedGate({ code, file: `${place.file}/phase.md`, message });
    return {
      phase: { ...base, name: listedName, content: "", gate },
      lines: [],
      complaints: [workflowProblem(code, name === undefined ? place.path : path, message, fix), ...complaints],
    };
  }
  const gateFile = gateFilesIn(listing)[0] ?? "gate-definition.yaml";
  const gatePath = join(place.path, gateFile);
  const written = readGateIn(definitions, place.path, "phase");
  const prose = read.flatMap((task) => task.prose ?? []);
  const own = { nodes: document.tree.children, path, file: `${place.file}/${name}` };
  const whole = phaseGate(
    own.nodes,
    { ...own, line: 1 },
    written === undefined ? undefined : { gate: written, path: gatePath },
    prose,
  );
  const linked = linkedDocuments(definitions, [own, ...prose], place);
  const heading = document.tree.children.find((node) => node.type === "heading");
  const title = heading === undefined ? "" : plainText(heading);
  const named = phaseTitle(title)?.name ?? (heading?.depth === 1 ? title : "");
  return {
    phase: {
      ...base,
      tasks: tasks.map((task) => ({ ...task, content: shownText(task.content, whole.gate) })),
      name: listedName || named || nameFromFolder(place.path) || `Phase ${number}`,
      content: shownText(document.source + linked.text, whole.gate),
      sources: [...base.sources, ...linked.sources],
      gate: whole.gate,
    },
    lines: whole.lines,
    complaints: [...whole.complaints, ...misplacedKeys(document, path), ...complaints, ...linked.complaints],
  };
}

function nameFromFolder(path: string): string {
  return basename(path)
    .replace(/^(?:phase[-_ ]?)?\d+[-_ .]*/i, "")
    .replaceAll(/[-_]+/g, " ")
    .trim();
}
