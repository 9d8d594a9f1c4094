import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import { readJson } from "../json-file.ts";
import { type Complaint, complaint } from "./complaint.ts";

/** What a workflow's metadata.json says that decides something; whatever else it holds is for its readers. */
export type Metadata = {
  /** What it calls itself, the name first; the first that is free is its type. It can be asked for by each. */
  readonly names: readonly string[];
  readonly title: string | undefined;
  readonly description: string;
  /** How many phases it promises. */
  readonly total: number | undefined;
  /** The phases it lists, by number. */
  readonly phases: ReadonlyMap<number, string>;
  /** The phases come from a task list that the session's options name. */
  readonly isDynamic: boolean;
  /** The option that names the task list, where the author chose it. */
  readonly optionName: string | undefined;
};

/** Reads a workflow's metadata as it stands now; a missing file is untidy, a malformed one closes the workflow. */
export function readMetadata(path: string): { readonly metadata: Metadata; readonly complaints: readonly Complaint[] } {
  const read = readJson(path);
  const note = (code: Complaint["code"], message: string, fix: string, more: Partial<Complaint> = {}): Complaint =>
    complaint(code, path, message, fix, more);
  if ("missing" in read) {
    const fix = "Write one with title, description and total_phases.";
    const missing = note("missing-workflow-metadata", "the workflow has no metadata.json", fix, { closes: false });
    return { metadata: parse({}), complaints: [missing] };
  }
  const [code, message] =
    "malformed" in read
      ? (["malformed-json", read.malformed] as const)
      : (["wrong-type", "metadata.json must be an object"] as const);
  if ("malformed" in read || !isObject(read.value))
    return { metadata: parse({}), complaints: [note(code, message, "Write an object in JSON.")] };
  const metadata = parse(read.value);
  const wrong = unclearKeys(read.value, metadata.isDynamic);
  const complaints = wrong.map(({ key, wanted }) =>
    note("wrong-type", `${key} must be ${wanted}`, "Mend the value.", { key }),
  );
  return { metadata, complaints };
}

function parse(value: JsonObject): Metadata {
  const { name, workflow_type: type, dynamic, dynamic_phases: isListed, dynamic_config: config } = value;
  const phases = new Map(Array.isArray(value.phases) ? value.phases.flatMap(listedPhase) : []);
  const isDynamic = [dynamic, isListed].includes(true) || (![dynamic, isListed].includes(false) && isObject(config));
  return {
    names: [name, type].flatMap((one) => textIn(one) ?? []),
    title: textIn(value.title) ?? textIn(name),
    description: textIn(value.description) ?? "",
    total: countIn(value.total_phases) ?? (isDynamic || phases.size === 0 ? undefined : phases.size),
    phases,
    isDynamic,
    optionName: isObject(config) ? textIn(config.source_path_key) : undefined,
  };
}

/** A phase as it is listed: with its number, and perhaps a name. */
function listedPhase(value: Json): [number, string][] {
  if (!isObject(value)) return [];
  const number = countIn(value.phase_number ?? value.number ?? value.phase);
  return number === undefined ? [] : [[number, textIn(value.phase_name ?? value.name ?? value.title) ?? ""]];
}

/** A promise that cannot be read might have been one of more phases than there are. */
function unclearKeys({ total_phases: total, phases, dynamic = false }: JsonObject, isDynamic: boolean) {
  const isList = Array.isArray(phases ?? []) && [phases ?? []].flat().every((phase) => listedPhase(phase).length === 1);
  const isCount = countIn(total ?? 0) !== undefined || isDynamic;
  return [
    { key: "total_phases", wanted: "a whole number", isSound: isCount },
    { key: "phases", wanted: "a list of phases with number and name", isSound: isList },
    { key: "dynamic", wanted: "true or false", isSound: typeof dynamic === "boolean" },
  ].filter(({ isSound }) => !isSound);
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function countIn(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}
