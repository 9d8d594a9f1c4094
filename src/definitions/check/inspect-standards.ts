import { join } from "node:path";
import { didYouMean, findNearMiss } from "../near-miss.ts";
import { readPhased } from "../phases/read-phased.ts";
import { placesNamed, workflowPlaces } from "../phases/workflow-places.ts";
import type { Noted } from "./finding.ts";
import type { StandardsTrouble, StandardView, Surroundings, Survey } from "./survey.ts";

/** Reports standards that nobody finds, or that are found otherwise than their authors mean. */
export function inspectStandards({ definitions }: Survey, { standards }: Surroundings): Noted[] {
  const folder = join(definitions, "standards");
  const { files, troubles, read } = standards;
  let workflows: Known | undefined;
  const known = (): Known => {
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

function noteTrouble(folder: string, { file, kind, message }: StandardsTrouble): Noted {
  const place = { path: join(folder, file), line: 1 };
  if (kind === "leaves")
    return {
      code: "link-out-of-standards",
      ...place,
      message: "the link leads out of the standards folder and is not followed",
      fix: "Put a copy of what it leads to in its place, or delete it.",
    };
  const fix = "Give it permissions that let it be read, or delete it.";
  return { code: "standard-not-searched", ...place, message: `the folder ${message} and is not searched`, fix };
}

function inspectStandard(path: string, seen: StandardView, known: () => Known): Noted[] {
  const { unsearched, misread, belongs, isEmpty } = seen;
  if (unsearched !== undefined) {
    const fix = "Make it a page of text, or move it out of the standards.";
    return [{ code: "standard-not-searched", path, line: 1, message: `the file ${unsearched}`, fix }];
  }
  if (misread !== undefined) return [noteHead(path, misread, belongs.kind === "unclear")];
  return [
    ...(isEmpty ? [noteEmpty(path)] : []),
    ...almostKnown(path, seen),
    ...(belongs.kind === "owned" ? inspectOwner(path, belongs, seen, known()) : []),
  ];
}

function noteHead(path: string, { line, message }: { line: number; message: string }, isClosed: boolean): Noted {
  if (isClosed)
    return {
      code: "standard-closed",
      path,
      line,
      message: `its front matter names a workflow or a phase and is not understood, so nobody finds it: ${message}`,
      fix: "Mend the front matter, or take workflow and phase out of it.",
    };
  return {
    code: "front-matter-ignored",
    path,
    line,
    message: `its front matter is not understood and read as text: ${message}`,
    fix: "Mend the front matter, or delete it.",
  };
}

function noteEmpty(path: string): Noted {
  const fix = "Write its text, or delete the file.";
  return { code: "empty-text", path, line: 1, message: "nothing stands below its headings", fix };
}

const knownKeys = ["title", "tags", "questions", "workflow", "phase", "phases"];

/** Any key may stand in front matter; one that is almost ours was meant as ours, and `phse: 2` would hide nothing. */
function almostKnown(path: string, { keys }: StandardView): Noted[] {
  return [...keys].flatMap(([key, line]): Noted[] => {
    const meant = knownKeys.includes(key) ? undefined : findNearMiss(key, knownKeys);
    if (meant === undefined || keys.has(meant)) return [];
    const message = `the key "${key}" is not known and only read as text; did you mean "${meant}"?`;
    return [{ code: "unknown-key", path, line, message, fix: `Write ${meant}, or another word.` }];
  });
}

type Owner = { readonly workflow: string | undefined; readonly phases: readonly number[] };

function inspectOwner(path: string, { workflow, phases }: Owner, { keys }: StandardView, known: Known): Noted[] {
  if (workflow !== undefined && !known.has(workflow)) {
    const message = `there is no workflow ${JSON.stringify(workflow)}${didYouMean(workflow, known.types)}`;
    const fix = "Name a workflow that there is, or delete the key.";
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
    message: `${who(phase)}, so nobody finds it there`,
    fix: "Name a phase that there is.",
  }));
}

/** The workflows that a standard can belong to. */
type Known = {
  readonly types: readonly string[];
  has(workflow: string): boolean;
  /** The numbers of a workflow's phases, or of all; undefined where a task list decides them. */
  numbers(workflow: string | undefined): ReadonlySet<number> | undefined;
};

/** Reads the workflows of a folder once, however many standards belong to them. */
function knownWorkflows(definitions: string): Known {
  const { places } = workflowPlaces(definitions);
  const types = [...new Set(places.map(({ type }) => type))];
  const read = new Map(types.map((type) => [type, readPhased(definitions, definitions, type, {})]));
  return {
    types,
    has: (workflow) => placesNamed(places, workflow).length > 0,
    numbers(workflow) {
      const meant = workflow === undefined ? types : placesNamed(places, workflow).map(({ type }) => type);
      const asked = [...read].filter(([type]) => meant.includes(type)).map(([, one]) => one);
      if (asked.some(({ isDynamic }) => isDynamic)) return undefined;
      return new Set(asked.flatMap(({ draft }) => draft?.phases.map(({ number }) => number) ?? []));
    },
  };
}
