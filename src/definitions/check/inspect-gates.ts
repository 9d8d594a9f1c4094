import { basename, dirname, extname, join, sep } from "node:path";
import { isObject } from "../../workflow/json.ts";
import { gateFilesIn, readGateIn } from "../gates/gate-file.ts";
import { parseYaml } from "../gates/yaml.ts";
import { readText } from "../json-file.ts";
import type { FindingCode } from "./codes.ts";
import type { Noted } from "./finding.ts";
import { type Complaint, findComplaints, nothingAsked } from "./gate-complaints.ts";
import { didYouMean, findNearMiss } from "./near-miss.ts";
import type { Folder, Survey } from "./survey.ts";

/** Reports every gate that is closed because it cannot be trusted, and every gate file that the engine never looks at. */
export function inspectGates(survey: Survey): Noted[] {
  const { definitions, folders } = survey;
  const guarded = guardedFolders(survey);
  const idle = idleFolders(survey);
  const isServed = servedPlaces(survey);
  return folders.flatMap((folder) => [
    ...overlooked(folder),
    ...(guarded.has(folder.path) ? closedGate(definitions, folder) : []),
    ...(!guarded.has(folder.path) && !idle.has(folder.path) && isServed(folder.path) ? guardsNothing(folder) : []),
  ]);
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
  if (gate.closed === undefined) return lenient;
  const { message } = gate.closed;
  const complaints = /^line \d+: |^the file asks for nothing$/.test(message) ? findComplaints(text ?? "") : [];
  return [
    ...(complaints.length > 0 ? complaints : [{ line: 1, message }]).map((complaint) => noteComplaint(path, complaint)),
    ...lenient,
  ];
}

function noteComplaint(path: string, { line, message, malformed }: Complaint): Noted {
  const { code, fix } = malformed ? notYaml : meaning(message);
  const key = /^the key "(.*?)"(?: of (.+))? is not understood$/s.exec(message);
  const hint = key === null ? "" : didYouMean(key[1] ?? "", keysOf(key[2]));
  return { code, path, line, message: `${message}, so the gate is closed${hint}`, fix };
}

/** Only to suggest a key: what a gate may say, the loader knows. */
function keysOf(owner: string | undefined): readonly string[] {
  if (owner === undefined) return ["evidence_schema", "approval", "checks"];
  return owner === "approval"
    ? ["required"]
    : owner === "checkpoint"
      ? ["strict"]
      : ["type", "required", "description"];
}

function meaning(message: string): { readonly code: FindingCode; readonly fix: string } {
  if (message === nothingAsked)
    return { code: "gate-asks-nothing", fix: "Ask for evidence, checks or approval, or delete the file." };
  if (/^the key /.test(message)) return { code: "gate-unknown-key", fix: "Mend the key, or delete it." };
  if (message.startsWith("a gate file is named"))
    return { code: "gate-misspelt-name", fix: "Rename it to gate-definition.yaml." };
  if (message.includes("only one can be the gate")) return { code: "two-gate-files", fix: "Delete one of the two." };
  if (/^the (?:field|check) |^(?:required|description) of | must (?:be|name) /.test(message)) {
    return { code: "gate-wrong-value", fix: "Mend the value." };
  }
  return notYaml;
}

const notYaml = { code: "gate-malformed", fix: "Write plain YAML: evidence_schema, checks, approval." } as const;

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
