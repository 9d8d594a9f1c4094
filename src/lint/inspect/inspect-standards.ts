import { join } from "node:path";
import { didYouMean, findNearMiss } from "../../definitions/files/near-miss.ts";
import { readAllPhased } from "../../definitions/phases/read-phased.ts";
import { workflowLocations, workflowsNamed } from "../../definitions/phases/workflow-locations.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { CheckContext, DefinitionsSurvey, StandardsProblem, StandardView } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports standards that search cannot find, or finds in the wrong places. */
export function inspectStandards({ definitions }: DefinitionsSurvey, { standards }: CheckContext): ReportedFinding[] {
  const folder = join(definitions.folder, "standards");
  const { files, troubles, read } = standards;
  let workflows: KnownWorkflows | undefined;
  const known = (): KnownWorkflows => {
    workflows ??= knownWorkflows(definitions);
    return workflows;
  };
  return [
    ...troubles.map((trouble) => noteTrouble(folder, trouble)),
    ...files.flatMap((file) => {
      const seen = read(file);
      return seen === undefined ? [] : inspectStandard(join(folder, file), seen, known);
    }),
  ];
}

function noteTrouble(folder: string, { file, kind, message }: StandardsProblem): ReportedFinding {
  const place = { path: join(folder, file), line: 1 };
  if (kind === "leaves")
    return {
      code: "link-out-of-standards",
      ...place,
      message: "the link points outside the standards folder and is not followed",
      fix: "Replace the link with a copy of its target, or delete it.",
    };
  const fix = "Make it readable, or delete it.";
  return { code: "standard-not-searched", ...place, message: `the folder ${message} and is not searched`, fix };
}

function inspectStandard(path: string, seen: StandardView, known: () => KnownWorkflows): ReportedFinding[] {
  const { unsearched, misread, belongs, isEmpty } = seen;
  if (unsearched !== undefined) {
    const fix = "Make it a text file, or move it out of the standards folder.";
    return [{ code: "standard-not-searched", path, line: 1, message: `the file ${unsearched}`, fix }];
  }
  if (misread !== undefined) return [noteFrontMatter(path, misread, belongs.kind === "unclear")];
  return [
    ...(isEmpty ? [noteEmpty(path)] : []),
    ...nearlyKnownKeys(path, seen),
    ...(belongs.kind === "owned" ? inspectOwner(path, belongs, seen, known()) : []),
  ];
}

function noteFrontMatter(
  path: string,
  { line, message }: { line: number; message: string },
  isClosed: boolean,
): ReportedFinding {
  if (isClosed)
    return {
      code: "standard-closed",
      path,
      line,
      message: `its front matter restricts it to a workflow or phase but cannot be read, so search never finds it: ${message}`,
      fix: "Fix the front matter, or remove workflow and phase from it.",
    };
  return {
    code: "front-matter-ignored",
    path,
    line,
    message: `its front matter cannot be read and is treated as text: ${message}`,
    fix: "Fix the front matter or delete it.",
  };
}

function noteEmpty(path: string): ReportedFinding {
  const fix = "Add text, or delete the file.";
  return { code: "empty-text", path, line: 1, message: "the file has headings but no text", fix };
}

const knownKeys = ["title", "tags", "questions", "workflow", "phase", "phases"];

/** Reports front matter keys that almost match a known one; `phse: 2` would restrict nothing. */
function nearlyKnownKeys(path: string, { keys }: StandardView): ReportedFinding[] {
  return [...keys].flatMap(([key, line]): ReportedFinding[] => {
    const meant = knownKeys.includes(key) ? undefined : findNearMiss(key, knownKeys);
    if (meant === undefined || keys.has(meant)) return [];
    const message = `the key "${key}" is unknown and read as text; did you mean "${meant}"?`;
    return [{ code: "unknown-key", path, line, message, fix: `Rename it to ${meant}, or to something less similar.` }];
  });
}

type Owner = { readonly workflow: string | undefined; readonly phases: readonly number[] };

function inspectOwner(
  path: string,
  { workflow, phases }: Owner,
  { keys }: StandardView,
  known: KnownWorkflows,
): ReportedFinding[] {
  if (workflow !== undefined && !known.has(workflow)) {
    const message = `the workflow ${JSON.stringify(workflow)} does not exist${didYouMean(workflow, known.types)}`;
    const fix = "Name an existing workflow, or delete the key.";
    return [{ code: "standard-of-no-workflow", path, line: keys.get("workflow") ?? 1, message, fix }];
  }
  const numbers = known.numbers(workflow);
  const missing = numbers === undefined ? [] : phases.filter((phase) => !numbers.has(phase));
  const who = (phase: number): string =>
    workflow === undefined ? `no workflow has a phase ${phase}` : `the workflow ${workflow} has no phase ${phase}`;
  return missing.map((phase) => ({
    code: "standard-of-no-phase",
    path,
    line: keys.get("phase") ?? keys.get("phases") ?? 1,
    message: `${who(phase)}, so search never finds it there`,
    fix: "Name an existing phase.",
  }));
}

/** The workflows that a standard can belong to. */
type KnownWorkflows = {
  readonly types: readonly string[];
  has(workflow: string): boolean;
  /** The phase numbers of one workflow, or of all; undefined if a task list decides them. */
  numbers(workflow: string | undefined): ReadonlySet<number> | undefined;
};

/** Reads the workflows of a folder once for all standards. */
function knownWorkflows(definitions: DefinitionSnapshot): KnownWorkflows {
  const { places } = workflowLocations(definitions);
  const read = readAllPhased(definitions);
  const types = [...read.keys()];
  return {
    types,
    has: (workflow) => workflowsNamed(places, workflow).length > 0,
    numbers(workflow) {
      const meant = workflow === undefined ? types : workflowsNamed(places, workflow).map(({ type }) => type);
      const asked = [...read].filter(([type]) => meant.includes(type)).map(([, one]) => one);
      if (asked.some(({ isDynamic }) => isDynamic)) return undefined;
      return new Set(asked.flatMap(({ draft }) => draft?.phases.map(({ number }) => number) ?? []));
    },
  };
}
