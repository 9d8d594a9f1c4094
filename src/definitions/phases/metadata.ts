import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { readJson } from "../files/json-file.ts";
import { type Declarations, readDeclarations } from "./declarations.ts";
import { type WorkflowProblem, workflowProblem } from "./workflow-problem.ts";

/** The entries of a workflow's metadata.json that matter to Waymark. */
export type Metadata = {
  /** The names it gives itself, `name` first; each can be used, and the first free one is its type. */
  readonly names: readonly string[];
  readonly title: string | undefined;
  readonly description: string;
  /** The number of phases it announces. */
  readonly total: number | undefined;
  /** The phases it lists, by number. */
  readonly phases: ReadonlyMap<number, string>;
  /** True if the phases come from a task list named in the session's options. */
  readonly isDynamic: boolean;
  /** The option that names the task list, if the author chose it. */
  readonly optionName: string | undefined;
  readonly declared: Declarations;
};

/** Reads a workflow's current metadata; a missing file is a warning, a malformed one closes the workflow. */
export function readMetadata(
  definitions: DefinitionSnapshot,
  path: string,
): {
  readonly metadata: Metadata;
  readonly complaints: readonly WorkflowProblem[];
} {
  const read = readJson(definitions, path);
  const value = "value" in read ? read.value : {};
  const odd: (readonly [string, string])[] = [];
  const metadata = parse(isObject(value) ? value : {}, (key, message) => odd.push([key, message]));
  const wrong = [
    ...odd,
    ...(isObject(value) ? [] : [["", "metadata.json must be an object"] as const]),
    ...unclearKeys(isObject(value) ? value : {}, metadata),
  ].map(([key, message]) => workflowProblem("wrong-type", path, message, "Fix the value.", { key }));
  if ("malformed" in read)
    return { metadata, complaints: [workflowProblem("malformed-json", path, read.malformed, "Fix it.")] };
  const fix = "Add one with title, description and total_phases.";
  const none = workflowProblem("missing-workflow-metadata", path, "the workflow has no metadata.json", fix, {
    closes: false,
  });
  return { metadata, complaints: "missing" in read ? [none] : wrong };
}

function parse(value: JsonObject, complain: (key: string, message: string) => void): Metadata {
  const { name, workflow_type: type, dynamic, dynamic_phases: isListed, dynamic_config: config } = value;
  const phases = new Map(Array.isArray(value.phases) ? value.phases.flatMap(listedPhase) : []);
  const isDynamic = [dynamic, isListed].includes(true) || (![dynamic, isListed].includes(false) && isObject(config));
  return {
    names: [name, type, value.type].flatMap((one) => textIn(one) ?? []),
    title: textIn(value.title) ?? textIn(name),
    description: textIn(value.description) ?? "",
    total: countIn(value.total_phases) ?? (isDynamic || phases.size === 0 ? undefined : phases.size),
    phases,
    isDynamic,
    optionName: isObject(config) ? textIn(config.source_path_key) : undefined,
    declared: readDeclarations(value, complain),
  };
}

/** A listed phase: its number, and a name if it has one. */
function listedPhase(value: Json): [number, string][] {
  if (!isObject(value)) return [];
  const number = countIn(value.phase_number ?? value.number ?? value.phase);
  return number === undefined ? [] : [[number, textIn(value.phase_name ?? value.name ?? value.title) ?? ""]];
}

/** True for an entry that names the phases of the task list: `phase_number: "1-N"`. */
function isRange(value: Json): boolean {
  const number = isObject(value) ? (value.phase_number ?? value.number ?? value.phase) : undefined;
  return typeof number === "string" && /^(?:\d+\s*(?:-|–|to)\s*)?N\+?$/i.test(number.trim());
}

/** Reports invalid keys that might have announced more phases, or a task list. */
function unclearKeys(value: JsonObject, { isDynamic, optionName }: Metadata): (readonly [string, string])[] {
  const { total_phases: total, phases, dynamic = false, dynamic_config: config } = value;
  const isClear = (phase: Json): boolean => listedPhase(phase).length === 1 || (isDynamic && isRange(phase));
  const isList = Array.isArray(phases ?? []) && [phases ?? []].flat().every(isClear);
  const isCount = countIn(total ?? 0) !== undefined || isDynamic;
  const isNamed = config === undefined || optionName !== undefined;
  return [
    ...(isCount ? [] : [["total_phases", "total_phases must be a whole number"] as const]),
    ...(isList ? [] : [["phases", "phases must be a list of phases, each with phase_number and phase_name"] as const]),
    ...(typeof dynamic === "boolean" ? [] : [["dynamic", "dynamic must be true or false"] as const]),
    ...(isNamed
      ? []
      : [["dynamic_config", "dynamic_config must be an object whose source_path_key names the option"] as const]),
  ];
}

/** The trimmed text of a value, or undefined if it is empty or not a string. */
export function textIn(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function countIn(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}
