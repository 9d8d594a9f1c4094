import { basename, dirname, extname, join } from "node:path";
import { isObject } from "../../evidence/json.ts";
import type { Problem } from "../../evidence/problem.ts";
import { liesIn } from "../../paths/lies-in.ts";
import { type Complaint, meanings } from "../gates/complaints.ts";
import { readGate } from "../gates/gate-definition.ts";
import { gateFilesIn, readGateIn } from "../gates/gate-file.ts";
import { readText } from "../json-file.ts";
import { didYouMean, findNearMiss } from "../near-miss.ts";
import { parseYaml } from "../yaml.ts";
import type { Noted } from "./finding.ts";
import { noteProblem } from "./inspect-loading.ts";
import type { Folder, Survey } from "./survey.ts";

/** Reports every gate that is closed because it cannot be trusted, and every gate file that the engine never looks at. */
export function inspectGates(survey: Survey): Noted[] {
  const { definitions, folders } = survey;
  const guarded = guardedFolders(survey);
  const idle = idleFolders(survey);
  const isServed = servedPlaces(survey);
  const own = folders.flatMap((folder) => [
    ...overlooked(folder),
    ...(guarded.has(folder.path) ? closedGate(definitions, folder, "action") : []),
    ...(!guarded.has(folder.path) && !idle.has(folder.path) && isServed(folder.path) ? guardsNothing(folder) : []),
  ]);
  const isNoted = ({ code, path, line }: Noted): boolean =>
    own.some((noted) => noted.code === code && noted.path === path && noted.line === line);
  return [...own, ...disagreements(survey).filter((noted) => !isNoted(noted))];
}

/** The same for one folder whose gate the engine asks, wherever it stands. */
export function inspectGateIn(definitions: string, folder: Folder): Noted[] {
  return [...overlooked(folder), ...closedGate(definitions, folder, "phase")];
}

/** Gates that are closed as they stand together: two may ask for one field in two types, each sound by itself. */
function disagreements({ definitions, bots }: Survey): Noted[] {
  const steps = bots.flatMap(({ workflows }) => workflows.flatMap((workflow) => workflow.steps));
  return steps.flatMap(({ gate }) => {
    return gate?.closed === undefined ? [] : [noteClosed(definitions, gate.closed)];
  });
}

/** The folders whose gate the engine asks: of the actions in a sequence, and what behaviors say about these. */
function guardedFolders({ bots, actionFolders }: Survey): ReadonlySet<string> {
  const actions = bots.flatMap(({ tree }) => tree.actions);
  const independent = new Set(actions.filter(({ config }) => config?.workflow === false).map(({ folder }) => folder));
  const overrides = bots.flatMap(({ tree }) =>
    tree.behaviors.flatMap((behavior) =>
      (behavior.overrides ?? []).filter(
        ({ name }) => !tree.actions.some((action) => action.name === name && action.config?.workflow === false),
      ),
    ),
  );
  const own = actionFolders.map(({ path }) => path).filter((path) => !independent.has(path));
  return new Set([...own, ...overrides.map(({ folder }) => folder)]);
}

/** Folders that the loader reports by itself, because their behavior has no such action. */
function idleFolders({ definitions, problems }: Survey): ReadonlySet<string> {
  return new Set(problems.map(({ file }) => join(dirname(definitions), file)));
}

/** What stands in a bot or behavior that is broken or not served has its own finding. */
function servedPlaces({ definitions, bots }: Survey): (path: string) => boolean {
  const trees = bots.map(({ tree }) => tree).filter(({ broken }) => broken === undefined);
  const used = new Set(
    trees.flatMap(({ behaviors }) =>
      behaviors.flatMap(({ folder, broken }) => (broken === undefined ? (folder ?? []) : [])),
    ),
  );
  return (path) => {
    const tree = trees.find(({ folder }) => liesIn(folder, path));
    if (tree === undefined) return liesIn(join(definitions, "base_actions"), path);
    return !liesIn(join(tree.folder, "behaviors"), path) || [...used].some((folder) => liesIn(folder, path));
  };
}

function closedGate(definitions: string, folder: Folder, of: "action" | "phase"): Noted[] {
  const gate = readGateIn(folder.path, definitions, of);
  const [name] = gateFilesIn(folder);
  if (gate === undefined) return [];
  if (name === undefined) return gate.closed === undefined ? [] : [noteClosed(definitions, gate.closed)];
  const path = join(folder.path, name);
  const text = readText(path);
  const lenient = text === undefined ? [] : lenience(path, text);
  if (gate.closed === undefined) return lenient;
  const isRead = Object.values(meanings).some(({ code }) => code === gate.closed?.code);
  const { complaints } = isRead ? readGate(text ?? "", name) : { complaints: [] };
  const closed = complaints.map((complaint) => noteComplaint(path, complaint));
  return [...(closed.length > 0 ? closed : [noteClosed(definitions, gate.closed)]), ...lenient];
}

function noteComplaint(path: string, { kind, line, message, at }: Complaint): Noted {
  const hint = kind === "key" ? didYouMean(at.at(-1) ?? "", keysOf(at.slice(0, -1))) : "";
  return { ...meanings[kind], path, line, message: closedBy(message) + hint };
}

/** What closes a gate as a whole, in the loader's words. */
function noteClosed(definitions: string, problem: Problem): Noted {
  return noteProblem(definitions, { ...problem, message: closedBy(problem.message) });
}

function closedBy(message: string): string {
  return `the gate is closed: ${message}`;
}

/** Only to suggest a key: what a gate may say, the loader knows. */
function keysOf([owner]: readonly string[]): readonly string[] {
  switch (owner) {
    case undefined:
      return [
        "evidence_schema",
        "cross_field_validation",
        "validators",
        "examples",
        "approval",
        "checks",
        "fresh",
        "edits",
      ];
    case "checks":
      return [
        ...["name", "run", "cwd", "timeout", "env", "exit", "report", "gives", "reads", "pins"],
        ...["file", "headings", "min_words", "schema", "git", "clean", "branch", "commits_since_start"],
      ];
    case "evidence_schema":
      return ["type", "required", "description", "validator", "validator_params", "example"];
    case "cross_field_validation":
      return ["rule", "message", "left", "operator", "right"];
    case "checkpoint":
      return ["strict"];
    default:
      return ["required", "level", "by", "count", "expires"];
  }
}

function lenience(path: string, text: string): Noted[] {
  const yaml = parseYaml(text);
  const checkpoint = "value" in yaml && isObject(yaml.value) ? yaml.value.checkpoint : undefined;
  if (!("value" in yaml) || !isObject(checkpoint)) return [];
  const note = (key: string): Noted => ({
    code: "gate-not-strict",
    path,
    line: yaml.lineOf(["checkpoint", key]),
    message: `checkpoint.${key} is ${String(checkpoint[key])}, and the gate is strict all the same`,
    fix: "Delete the key.",
  });
  return [
    ...(checkpoint.enabled === false ? [note("enabled")] : []),
    ...(checkpoint.strict === false ? [note("strict")] : []),
    ...(checkpoint.allow_override === true ? [note("allow_override")] : []),
  ];
}

/** A file that was meant as a gate and is none to the engine: the step behind it stands open. */
function overlooked(folder: Folder): Noted[] {
  const seen = gateFilesIn(folder);
  return folder.files
    .filter((name) => !seen.includes(name) && isMeantAsGate(name))
    .map((name) => ({
      code: "gate-misspelt-name",
      path: join(folder.path, name),
      line: 1,
      message: `${name} is not seen as a gate, so nothing is asked for here`,
      fix: "Rename it to gate-definition.yaml.",
    }));
}

function isMeantAsGate(name: string): boolean {
  const stem = basename(name, extname(name));
  if (/^gate[-_ ]?def/i.test(stem)) return true;
  return (
    /\.(ya?ml|json)$/i.test(name) && (/^gates?$/i.test(stem) || findNearMiss(stem, ["gate-definition"]) !== undefined)
  );
}

function guardsNothing(folder: Folder): Noted[] {
  return gateFilesIn(folder).map((name) => ({
    code: "idle-gate",
    path: join(folder.path, name),
    line: 1,
    message: "this gate guards nothing: no action of a sequence has its place here",
    fix: "Move it beside the action it should guard, or delete it.",
  }));
}
