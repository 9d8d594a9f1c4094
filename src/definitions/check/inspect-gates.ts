import { basename, dirname, extname, join, sep } from "node:path";
import { isObject } from "../../workflow/json.ts";
import type { Complaint, ComplaintKind } from "../gates/complaints.ts";
import { readGate } from "../gates/gate-definition.ts";
import { gateFilesIn, readGateIn } from "../gates/gate-file.ts";
import { validatorNames } from "../gates/validator-operations.ts";
import { parseYaml } from "../gates/yaml.ts";
import { readText } from "../json-file.ts";
import type { FindingCode } from "./codes.ts";
import type { Noted } from "./finding.ts";
import { didYouMean, findNearMiss } from "./near-miss.ts";
import type { Folder, Survey } from "./survey.ts";

/** Reports every gate that is closed because it cannot be trusted, and every gate file that the engine never looks at. */
export function inspectGates(survey: Survey): Noted[] {
  const { definitions, folders } = survey;
  const guarded = guardedFolders(survey);
  const idle = idleFolders(survey);
  const isServed = servedPlaces(survey);
  const own = folders.flatMap((folder) => [
    ...overlooked(folder),
    ...(guarded.has(folder.path) ? closedGate(definitions, folder) : []),
    ...(!guarded.has(folder.path) && !idle.has(folder.path) && isServed(folder.path) ? guardsNothing(folder) : []),
  ]);
  return [...own, ...disagreements(survey)];
}

/** The same for one folder whose gate the engine asks, wherever it stands. */
export function inspectGateIn(definitions: string, folder: Folder): Noted[] {
  return [...overlooked(folder), ...closedGate(definitions, folder)];
}

/** Two gates of one action that ask for one field in two types: each is sound, and together nothing satisfies them. */
function disagreements({ definitions, bots }: Survey): Noted[] {
  const steps = bots.flatMap(({ workflows }) => workflows.flatMap((workflow) => workflow.steps));
  return steps.flatMap(({ gate }) => {
    const [, line, message] = /^line (\d+): (.* is asked for as .*)$/s.exec(gate?.closed?.message ?? "") ?? [];
    if (gate?.closed === undefined || line === undefined) return [];
    const path = join(dirname(definitions), gate.closed.file);
    return [noteComplaint(path, { kind: "value", line: Number(line), message: message ?? "" })];
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
  const isIn = (place: string, path: string): boolean => path === place || path.startsWith(place + sep);
  return (path) => {
    const tree = trees.find(({ folder }) => isIn(folder, path));
    if (tree === undefined) return isIn(join(definitions, "base_actions"), path);
    return !isIn(join(tree.folder, "behaviors"), path) || [...used].some((folder) => isIn(folder, path));
  };
}

function closedGate(definitions: string, folder: Folder): Noted[] {
  const gate = readGateIn(folder.path, definitions);
  const [name] = gateFilesIn(folder);
  if (gate === undefined || name === undefined) return [];
  const path = join(folder.path, name);
  const text = readText(path);
  const lenient = text === undefined ? [] : lenience(path, text);
  if (gate.closed === undefined) return [...lenient, ...translated(path, text ?? "")];
  const { message } = gate.closed;
  const isRead = /^line \d+: |^the file asks for nothing$/.test(message);
  const { complaints } = isRead ? readGate(text ?? "", name) : { complaints: [] };
  const closed = complaints.map((complaint) => noteComplaint(path, complaint));
  return [...(closed.length > 0 ? closed : [noteFile(path, message)]), ...lenient];
}

function noteComplaint(path: string, { kind, line, message }: Complaint): Noted {
  const { code, fix } = meanings[kind];
  const key = /^the key "(.*?)"(?: of (.+))? is not understood$/s.exec(message);
  const [, name] = /there is no validator (\S+)$/.exec(message) ?? [];
  const meant = name === undefined ? "" : didYouMean(name, validatorNames());
  const hint = key === null ? meant : didYouMean(key[1] ?? "", keysOf(key[2]));
  return { code, path, line, message: `${message}, so the gate is closed${hint}`, fix };
}

/** What is wrong with the file itself, whatever stands in it. */
function noteFile(path: string, message: string): Noted {
  const { code, fix } = message.startsWith("a gate file is named")
    ? ({ code: "gate-misspelt-name", fix: "Rename it to gate-definition.yaml." } as const)
    : message.includes("only one can be the gate")
      ? ({ code: "two-gate-files", fix: "Delete one of the two." } as const)
      : meanings.yaml;
  return { code, path, line: 1, message: `${message}, so the gate is closed`, fix };
}

/** Only to suggest a key: what a gate may say, the loader knows. */
function keysOf(owner: string | undefined): readonly string[] {
  if (owner === undefined)
    return ["evidence_schema", "cross_field_validation", "validators", "examples", "approval", "checks"];
  if (owner === "approval") return ["required"];
  if (owner === "checkpoint") return ["strict"];
  if (owner === "a cross-field rule") return ["rule", "message", "left", "operator", "right"];
  return ["type", "required", "description", "validator", "validator_params", "example"];
}

const meanings: Readonly<Record<ComplaintKind, { readonly code: FindingCode; readonly fix: string }>> = {
  nothing: { code: "gate-asks-nothing", fix: "Ask for evidence, checks or approval, or delete the file." },
  key: { code: "gate-unknown-key", fix: "Mend the key, or delete it." },
  value: { code: "gate-wrong-value", fix: "Mend the value." },
  validator: {
    code: "gate-unknown-validator",
    fix: "Write it as a name or a mapping that docs/bots.md lists, such as greater_than_0 or {min: 1, max: 5}.",
  },
  yaml: { code: "gate-malformed", fix: "Write plain YAML: evidence_schema, checks, approval." },
};

/** Expressions that were understood: the author should see as what. */
function translated(path: string, text: string): Noted[] {
  return readGate(text, basename(path)).translations.map(({ line, message }) => ({
    code: "gate-expression",
    path,
    line,
    message,
    fix: "Nothing, if that is what is meant; else write the rule as a name or a mapping.",
  }));
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
