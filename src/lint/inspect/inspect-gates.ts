import { basename, dirname, extname, join } from "node:path";
import { readText } from "../../definitions/files/json-file.ts";
import { didYouMean, findNearMiss } from "../../definitions/files/near-miss.ts";
import { parseYaml } from "../../definitions/files/yaml.ts";
import { readGate } from "../../definitions/gates/gate-definition.ts";
import { type GateError, gateErrorMeanings } from "../../definitions/gates/gate-errors.ts";
import { gateFilesIn, readGateIn } from "../../definitions/gates/gate-file.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { Problem } from "../../gates/problem.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { isObject } from "../../kit/json.ts";
import type { DefinitionsSurvey, Folder } from "../load-for-check.ts";
import type { ReportedFinding } from "../reported-finding.ts";
import { noteProblem } from "./inspect-loading.ts";

/** Reports closed gates, and gate files that the engine never reads. */
export function inspectGates(survey: DefinitionsSurvey): ReportedFinding[] {
  const { folders } = survey;
  const guarded = guardedFolders(survey);
  const idle = idleFolders(survey);
  const isServed = isServedPath(survey);
  const own = folders.flatMap((folder) => [
    ...misnamedGateFiles(folder),
    ...(guarded.has(folder.path) ? closedGate(survey.definitions, folder, "action") : []),
    ...(!guarded.has(folder.path) && !idle.has(folder.path) && isServed(folder.path) ? guardsNothing(folder) : []),
  ]);
  const isNoted = ({ code, path, line }: ReportedFinding): boolean =>
    own.some((noted) => noted.code === code && noted.path === path && noted.line === line);
  return [...own, ...combinedConflicts(survey).filter((noted) => !isNoted(noted))];
}

/** Reports the same for one folder of a phase. */
export function inspectGateIn(definitions: DefinitionSnapshot, folder: Folder): ReportedFinding[] {
  return [...misnamedGateFiles(folder), ...closedGate(definitions, folder, "phase")];
}

/** Reports gates that only close in combination: two may ask for one field with different types. */
function combinedConflicts({ definitions, bots }: DefinitionsSurvey): ReportedFinding[] {
  const steps = bots.flatMap(({ workflows }) => workflows.flatMap((workflow) => workflow.steps));
  return steps.flatMap(({ gate }) => {
    return gate?.closed === undefined ? [] : [noteClosed(definitions, gate.closed)];
  });
}

/** The folders whose gates the engine enforces: actions in a sequence and their overrides. */
function guardedFolders({ bots, actionFolders }: DefinitionsSurvey): ReadonlySet<string> {
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

/** The folders of overrides without an action, which the loader reports itself. */
function idleFolders({ definitions, problems }: DefinitionsSurvey): ReadonlySet<string> {
  return new Set(problems.map(({ file }) => join(dirname(definitions.folder), file)));
}

/** Tells if a path belongs to a bot or behavior that is served; broken ones have their own finding. */
function isServedPath({ definitions, bots }: DefinitionsSurvey): (path: string) => boolean {
  const trees = bots.map(({ tree }) => tree).filter(({ broken }) => broken === undefined);
  const used = new Set(
    trees.flatMap(({ behaviors }) =>
      behaviors.flatMap(({ folder, broken }) => (broken === undefined ? (folder ?? []) : [])),
    ),
  );
  return (path) => {
    const tree = trees.find(({ folder }) => isPathInside(folder, path));
    if (tree === undefined) return isPathInside(join(definitions.folder, "base_actions"), path);
    return (
      !isPathInside(join(tree.folder, "behaviors"), path) || [...used].some((folder) => isPathInside(folder, path))
    );
  };
}

function closedGate(definitions: DefinitionSnapshot, folder: Folder, of: "action" | "phase"): ReportedFinding[] {
  const gate = readGateIn(definitions, folder.path, of);
  const [name] = gateFilesIn(folder);
  if (gate === undefined) return [];
  if (name === undefined) return gate.closed === undefined ? [] : [noteClosed(definitions, gate.closed)];
  const path = join(folder.path, name);
  const text = readText(definitions, path);
  const lenient = text === undefined ? [] : lenientKeys(path, text);
  if (gate.closed === undefined) return lenient;
  const isRead = Object.values(gateErrorMeanings).some(({ code }) => code === gate.closed?.code);
  const { complaints } = isRead ? readGate(text ?? "", name) : { complaints: [] };
  const closed = complaints.map((complaint) => noteComplaint(path, complaint));
  return [...(closed.length > 0 ? closed : [noteClosed(definitions, gate.closed)]), ...lenient];
}

function noteComplaint(path: string, { kind, line, message, at }: GateError): ReportedFinding {
  const hint = kind === "key" ? didYouMean(at.at(-1) ?? "", keysOf(at.slice(0, -1))) : "";
  return { ...gateErrorMeanings[kind], path, line, message: closedBy(message) + hint };
}

/** Turns the problem that closes a gate into a finding. */
function noteClosed(definitions: DefinitionSnapshot, problem: Problem): ReportedFinding {
  return noteProblem(definitions.folder, { ...problem, message: closedBy(problem.message) });
}

function closedBy(message: string): string {
  return `the gate is closed: ${message}`;
}

/** The keys to suggest for a misspelled one. */
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
        "runner",
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
      return ["required", "level", "by", "count", "expires", "question"];
  }
}

function lenientKeys(path: string, text: string): ReportedFinding[] {
  const yaml = parseYaml(text);
  const checkpoint = "value" in yaml && isObject(yaml.value) ? yaml.value.checkpoint : undefined;
  if (!("value" in yaml) || !isObject(checkpoint)) return [];
  const note = (key: string): ReportedFinding => ({
    code: "gate-not-strict",
    path,
    line: yaml.lineOf(["checkpoint", key]),
    message: `checkpoint.${key} is ${String(checkpoint[key])}, but gates are always strict`,
    fix: "Delete the key.",
  });
  return [
    ...(checkpoint.enabled === false ? [note("enabled")] : []),
    ...(checkpoint.strict === false ? [note("strict")] : []),
    ...(checkpoint.allow_override === true ? [note("allow_override")] : []),
  ];
}

/** Reports a file meant as a gate that the engine does not read, so its step has no gate. */
function misnamedGateFiles(folder: Folder): ReportedFinding[] {
  const seen = gateFilesIn(folder);
  return folder.files
    .filter((name) => !seen.includes(name) && isMeantAsGate(name))
    .map((name) => ({
      code: "gate-misspelt-name",
      path: join(folder.path, name),
      line: 1,
      message: `${name} is not read as a gate file, so this step has no gate`,
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

function guardsNothing(folder: Folder): ReportedFinding[] {
  return gateFilesIn(folder).map((name) => ({
    code: "idle-gate",
    path: join(folder.path, name),
    line: 1,
    message: "this gate guards nothing: no action in a sequence uses this folder",
    fix: "Move it to the folder of the action it should guard, or delete it.",
  }));
}
