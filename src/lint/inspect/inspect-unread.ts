import { basename, dirname, extname, join } from "node:path";
import { independentActions } from "../../definitions/bots/compile.ts";
import { normalizeName } from "../../definitions/bots/definition-names.ts";
import type { BotTree } from "../../definitions/bots/tree.ts";
import { presentStep } from "../../definitions/content/present.ts";
import { findNearMiss } from "../../definitions/files/near-miss.ts";
import type { FindingCode } from "../../definitions/finding-codes.ts";
import { gateFilesIn } from "../../definitions/gates/gate-file.ts";
import { readAllPhased } from "../../definitions/phases/read-phased.ts";
import { loadRules } from "../../definitions/rules/load-rules.ts";
import { listFolder } from "../../definitions/snapshot/list-folder.ts";
import { makeSnapshot } from "../../definitions/snapshot/make-snapshot.ts";
import type { DefinitionSnapshot, FileEntry } from "../../engine/ports/definition-snapshot.ts";
import {
  type CheckContext,
  type DefinitionsSurvey,
  type Folder,
  loadForCheck,
  walkFolders,
} from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";

/** Reports files that nothing reads, by loading and opening everything as the engine does. */
export function inspectUnread(
  survey: DefinitionsSurvey,
  { standards: seen }: CheckContext,
  noted: readonly ReportedFinding[],
): ReportedFinding[] {
  const { definitions } = survey;
  const standards = join(definitions.folder, "standards");
  const read = new Set([...filesOpened(definitions), ...seen.files.map((file) => join(standards, file))]);
  const isSettled = reportedPaths(survey, noted);
  const folders = [
    ...survey.folders,
    ...walkFolders(definitions, join(definitions.folder, "workflows")),
    ...walkFolders(definitions, standards),
  ];
  const actions = survey.bots.flatMap(({ tree }) => tree.actions);
  // Gate files have their own inspection, except those of an action hidden by another of the same name.
  const isHidden = ({ path }: Folder): boolean =>
    basename(dirname(path)) === "base_actions" &&
    actions.some(({ name, folder }) => folder !== undefined && name === normalizeName(basename(path))) &&
    !actions.some(({ folder }) => folder === path);
  const all = folders.flatMap((folder) =>
    folder.files
      .filter((file) => !isForPeople(file) && (isHidden(folder) || !gateFilesIn(folder).includes(file)))
      .map((file) => join(folder.path, file)),
  );
  const left = all.filter(
    (path) => !read.has(path) && !read.has(definitions.realPath(path) ?? path) && !isSettled(path),
  );
  return [
    ...left.map((path) => misspelt(path) ?? note(path)),
    ...listFolder(definitions, definitions.folder).files.flatMap((file) =>
      ownFiles.includes(file) ? [] : (misspelt(join(definitions.folder, file), ["config", "approvers"]) ?? []),
    ),
  ];
}

function note(path: string): ReportedFinding {
  const message = `nothing reads ${basename(path)}`;
  const fix = "Use a name and folder from the docs, or move it out of the definitions.";
  return { code: "unread-file", path, line: 1, message, fix };
}

/** Reports a file whose name is close to one that Waymark reads. */
function misspelt(path: string, names: readonly string[] = knownNames): ReportedFinding | undefined {
  const [file, ending] = [basename(path), extname(path)];
  const stem = normalizeName(basename(file, ending));
  const meant = names.includes(stem) ? stem : findNearMiss(stem, names);
  if (meant === undefined || !textEndings.includes(ending.toLowerCase())) return undefined;
  const wanted = `${meant}${ending === ".md" && !configs.includes(meant) ? ".md" : ".json"}`;
  if (wanted === `${stem}${ending}`) return undefined; // well named, and not read for another reason
  const message = `${file} is not read, but its name is close to ${wanted}`;
  const fix = `Rename it to ${wanted}, or to something less similar.`;
  return { code: "misspelt-file", path, line: 1, message, fix };
}

const textEndings = [".json", ".jsonc", ".json5", ".md", ".markdown", ".txt", ".yaml", ".yml"];
const ownFiles = ["config.json", "approvers.json", "identity.json"];
const configs = ["config", "approvers", "bot_config", "action_config", "behavior", "behavior_config", "trigger_words"];
const knownNames = [
  ...[...configs.slice(2), "instructions", "key_questions", "questions", "required_context", "evidence"],
  ...["planning_criteria", "decision_criteria", "criteria", "typical_assumptions", "assumptions"],
  ...["recommended_human_activity", "knowledge_schema", "knowledge_template"],
];

/** True for files meant for people, which Waymark does not need to read. */
function isForPeople(file: string): boolean {
  return /^(?:readme|licen[cs]e|changelog|contributing|notice)\b/i.test(file);
}

/** The files that a server could read: those of every action of every behavior, every phase, every rule. */
function filesOpened(checked: DefinitionSnapshot): ReadonlySet<string> {
  const opened = new Set<string>();
  const find = (path: string): FileEntry | undefined => {
    const entry = checked.find(path);
    if (entry?.kind !== "file" || entry.text === undefined) return entry;
    const { text, ...file } = entry;
    return {
      ...file,
      get text() {
        opened.add(path);
        return text;
      },
    };
  };
  openEverything({ ...makeSnapshot(checked.folder, checked.entries, checked.version), find });
  return opened;
}

function openEverything(definitions: DefinitionSnapshot): void {
  for (const { tree, workflows } of loadForCheck(definitions).bots) {
    for (const [index, behavior] of tree.behaviors.entries()) {
      const steps = (workflows[index]?.steps ?? []).map(({ name }) => name);
      const actions = tree.actions.filter(({ stray }) => !stray).map(({ name }) => name);
      for (const step of new Set([...steps, ...actions, ...independentActions(tree)]))
        tryToOpen(tree, behavior.name, step);
      loadRules(tree, behavior);
    }
  }
  readAllPhased(definitions);
}

/** Opens an action; material that cannot be shown has its own finding. */
function tryToOpen(tree: BotTree, workflow: string, step: string): void {
  try {
    presentStep(tree, { workflow, step, produced: [] });
  } catch {
    // It was read, and that is what counts here.
  }
}

/** Codes whose finding covers everything in the folder. */
const folderCodes: readonly FindingCode[] = [
  ...(["unlisted-behavior", "stray-folder", "idle-override", "missing-action-config", "duplicate-action"] as const),
  ...(["no-phases", "unnumbered-phase", "missing-phase-file", "link-out-of-standards"] as const),
];

const shared = ["base_actions", join("bots", "base_bot")];

function reportedPaths(
  { definitions, bots }: DefinitionsSurvey,
  noted: readonly ReportedFinding[],
): (path: string) => boolean {
  const files = new Set(noted.map(({ path }) => path));
  const closed = bots.flatMap(({ tree }) => [
    // An unreadable bot might be the one that uses a shared action.
    ...(tree.broken === undefined ? [] : [tree.folder, ...shared.map((place) => join(definitions.folder, place))]),
    ...tree.behaviors.flatMap(({ folder, broken }) => (broken === undefined ? [] : (folder ?? []))),
  ]);
  const spoken = noted.flatMap(({ code, path }) => {
    if (code === "missing-bot-config" || code === "duplicate-bot") return [dirname(path)];
    if (code === "duplicate-workflow") return [path, `${path}.md`, path.replace(/\.md$/, "")];
    return folderCodes.includes(code) ? [path, dirname(path)].slice(0, basename(path).includes(".") ? 2 : 1) : [];
  });
  const isInPlaces = isInsideAny([...closed, ...spoken]);
  return (path) => files.has(path) || isInPlaces(path);
}

/** Builds a test for being one of these paths or inside one. */
function isInsideAny(places: readonly string[]): (path: string) => boolean {
  const known = new Set(places);
  return (path) => {
    for (const at of foldersUpwards(path)) if (known.has(at)) return true;
    return false;
  };
}

/** A path and every folder above it. */
function* foldersUpwards(path: string): Generator<string> {
  for (let at = path; ; at = dirname(at)) {
    yield at;
    if (at === dirname(at)) return;
  }
}
