import { basename, dirname, extname, join } from "node:path";
import { realPathOrNamedSync } from "../../paths/real-path.ts";
import { independentActions } from "../bots/compile.ts";
import { asName } from "../bots/names.ts";
import type { FindingCode } from "../codes.ts";
import { listFolder } from "../folder.ts";
import { gateFilesIn } from "../gates/gate-file.ts";
import { presentStep } from "../material/present.ts";
import { findNearMiss } from "../near-miss.ts";
import { readPhased } from "../phases/read-phased.ts";
import { workflowPlaces } from "../phases/workflow-places.ts";
import { readsDuring } from "../reads.ts";
import { loadRules } from "../rules/load-rules.ts";
import type { Noted } from "./finding.ts";
import { type Folder, type Surroundings, type Survey, surveyDefinitions, walk } from "./survey.ts";

/** Reports files that nothing reads: everything is loaded and opened as the engine does it, and what was not read then never is. */
export function inspectUnread(survey: Survey, { standards: seen }: Surroundings, noted: readonly Noted[]): Noted[] {
  const { definitions } = survey;
  const standards = join(definitions, "standards");
  const read = new Set([
    ...readsDuring(() => openEverything(definitions)).reads,
    ...seen.files.map((file) => join(standards, file)),
  ]);
  const isSettled = settledPlaces(survey, noted);
  const folders = [...survey.folders, ...walk(join(definitions, "workflows")), ...walk(standards)];
  const actions = survey.bots.flatMap(({ tree }) => tree.actions);
  // Gate files have an inspection of their own, but for those of an action that one of the same name hides.
  const isHidden = ({ path }: Folder): boolean =>
    basename(dirname(path)) === "base_actions" &&
    actions.some(({ name, folder }) => folder !== undefined && name === asName(basename(path))) &&
    !actions.some(({ folder }) => folder === path);
  const all = folders.flatMap((folder) =>
    folder.files
      .filter((file) => !isForPeople(file) && (isHidden(folder) || !gateFilesIn(folder).includes(file)))
      .map((file) => join(folder.path, file)),
  );
  const left = all.filter((path) => !read.has(path) && !read.has(realPathOrNamedSync(path)) && !isSettled(path));
  const whole = wholeFolders(folders, new Set(left));
  const isInWhole = isInAny(whole.map(({ path }) => path));
  return [
    ...whole.map(({ path, count }) => note(path, `nothing reads the ${count} files in ${basename(path)}`)),
    ...left
      .filter((path) => !isInWhole(path))
      .map((path) => misspelt(path) ?? note(path, `nothing reads ${basename(path)}`)),
    ...listFolder(definitions).files.flatMap((file) =>
      ownFiles.includes(file) ? [] : (misspelt(join(definitions, file), ["config", "approvers"]) ?? []),
    ),
  ];
}

function note(path: string, message: string): Noted {
  const fix = "Give it a name and place that the docs show, or move it out of the definitions.";
  return { code: "unread-file", path, line: 1, message, fix };
}

/** A file that is named almost like one that is read. */
function misspelt(path: string, names: readonly string[] = knownNames): Noted | undefined {
  const [file, ending] = [basename(path), extname(path)];
  const stem = asName(basename(file, ending));
  const meant = names.includes(stem) ? stem : findNearMiss(stem, names);
  if (meant === undefined || !textEndings.includes(ending.toLowerCase())) return undefined;
  const wanted = `${meant}${ending === ".md" && !configs.includes(meant) ? ".md" : ".json"}`;
  if (wanted === `${stem}${ending}`) return undefined; // well named, and not read for another reason
  const message = `${file} is not read: it is named almost like ${wanted}`;
  const fix = `Rename it to ${wanted}, or to something else altogether.`;
  return { code: "misspelt-file", path, line: 1, message, fix };
}

const textEndings = [".json", ".jsonc", ".json5", ".md", ".markdown", ".txt", ".yaml", ".yml"];
const ownFiles = ["config.json", "approvers.json"];
const configs = ["config", "approvers", "bot_config", "action_config", "behavior", "behavior_config", "trigger_words"];
const knownNames = [
  ...[...configs.slice(2), "instructions", "key_questions", "questions", "required_context", "evidence"],
  ...["planning_criteria", "decision_criteria", "criteria", "typical_assumptions", "assumptions"],
  ...["recommended_human_activity", "knowledge_schema", "knowledge_template"],
];

/** What is for people and not for assistants needs no reader. */
function isForPeople(file: string): boolean {
  return /^(?:readme|licen[cs]e|changelog|contributing|notice)\b/i.test(file);
}

/** Reads all that a server can come to read: every action of every behavior opened, every phase, every rule. */
function openEverything(definitions: string): void {
  for (const { tree, workflows } of surveyDefinitions(definitions).bots) {
    for (const [index, behavior] of tree.behaviors.entries()) {
      const steps = (workflows[index]?.steps ?? []).map(({ name }) => name);
      const actions = tree.actions.filter(({ stray }) => !stray).map(({ name }) => name);
      for (const step of new Set([...steps, ...actions, ...independentActions(tree)]))
        tryToOpen(tree, behavior.name, step);
      loadRules(tree, behavior);
    }
  }
  for (const { type } of workflowPlaces(definitions).places) readPhased(definitions, definitions, type, {});
}

/** Material that cannot be shown at all has its own finding. */
function tryToOpen(tree: Parameters<typeof presentStep>[0], workflow: string, step: string): void {
  try {
    presentStep(tree, { workflow, step, produced: [] });
  } catch {
    // It was read, and that is what counts here.
  }
}

/** Folders with a finding that speaks for everything in them. */
const speakForAll: readonly FindingCode[] = [
  ...(["unlisted-behavior", "stray-folder", "idle-override", "missing-action-config", "duplicate-action"] as const),
  ...(["no-phases", "unnumbered-phase", "missing-phase-file", "link-out-of-standards"] as const),
];

const shared = ["base_actions", join("bots", "base_bot")];

function settledPlaces({ definitions, bots }: Survey, noted: readonly Noted[]): (path: string) => boolean {
  const files = new Set(noted.map(({ path }) => path));
  const closed = bots.flatMap(({ tree }) => [
    // A bot that cannot be read may be the one that uses a shared action.
    ...(tree.broken === undefined ? [] : [tree.folder, ...shared.map((place) => join(definitions, place))]),
    ...tree.behaviors.flatMap(({ folder, broken }) => (broken === undefined ? [] : (folder ?? []))),
  ]);
  const spoken = noted.flatMap(({ code, path }) => {
    if (code === "missing-bot-config" || code === "duplicate-bot") return [dirname(path)];
    if (code === "duplicate-workflow") return [path, `${path}.md`, path.replace(/\.md$/, "")];
    return speakForAll.includes(code) ? [path, dirname(path)].slice(0, basename(path).includes(".") ? 2 : 1) : [];
  });
  const isInPlaces = isInAny([...closed, ...spoken]);
  return (path) => files.has(path) || isInPlaces(path);
}

/** The topmost folders of which nothing at all is read. */
function wholeFolders(
  folders: readonly Folder[],
  left: ReadonlySet<string>,
): { readonly path: string; readonly count: number }[] {
  const counts = new Map(folders.map(({ path }) => [path, { files: 0, left: 0 }]));
  for (const folder of new Map(folders.map((one) => [one.path, one])).values()) {
    const unread = folder.files.filter((file) => left.has(join(folder.path, file))).length;
    for (const path of upwards(folder.path)) {
      const count = counts.get(path);
      if (count === undefined) continue;
      count.files += folder.files.length;
      count.left += unread;
    }
  }
  const unread = [...counts].filter(([, count]) => count.files > 1 && count.left === count.files);
  const isUnread = new Set(unread.map(([path]) => path));
  return unread
    .filter(([path]) => ![...upwards(dirname(path))].some((above) => isUnread.has(above)))
    .map(([path, { files }]) => ({ path, count: files }));
}

/** Tells whether a path is one of these places, or stands in one. */
function isInAny(places: readonly string[]): (path: string) => boolean {
  const known = new Set(places);
  return (path) => {
    for (const at of upwards(path)) if (known.has(at)) return true;
    return false;
  };
}

/** A path, and every folder above it. */
function* upwards(path: string): Generator<string> {
  for (let at = path; ; at = dirname(at)) {
    yield at;
    if (at === dirname(at)) return;
  }
}
