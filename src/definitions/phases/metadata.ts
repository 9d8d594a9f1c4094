import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import { readJson } from "../json-file.ts";
import { type Complaint, complaint } from "./complaint.ts";

/** What a workflow's metadata.json says that decides something; whatever else it holds is for its readers. */
export type Metadata = {
  /** What it calls itself, the name first; the first that is free is its type. */
  readonly ownNames: readonly string[];
  /** Names that it can be asked for by besides its folder's. */
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
  const unread = (
    code: Complaint["code"],
    message: string,
    fix: string,
    closes = true,
  ): ReturnType<typeof readMetadata> => ({
    metadata: parse({}),
    complaints: [complaint(code, path, message, fix, { closes })],
  });
  if ("missing" in read) {
    const fix = "Write one with title, description and total_phases.";
    return unread("missing-workflow-metadata", "the workflow has no metadata.json", fix, false);
  }
  if ("malformed" in read) return unread("malformed-json", read.malformed, "Mend the JSON.");
  if (!isObject(read.value)) return unread("wrong-type", "metadata.json must be an object", "Write an object.");
  const metadata = parse(read.value);
  const complaints = unclearKeys(read.value, metadata.isDynamic).map((message) =>
    complaint("wrong-type", path, message, "Mend the value.", { key: message.split(" ")[0] ?? "" }),
  );
  return { metadata, complaints };
}

function parse(value: JsonObject): Metadata {
  const config = isObject(value.dynamic_config) ? value.dynamic_config : {};
  const listed = Array.isArray(value.phases) ? value.phases.flatMap(listedPhase) : [];
  const isDynamic =
    [value.dynamic, value.dynamic_phases].includes(true) ||
    (value.dynamic !== false &&
      value.dynamic_phases !== false &&
      (isObject(value.dynamic_config) || value.total_phases === "dynamic"));
  return {
    ownNames: [value.name, value.workflow_type].flatMap((one) => textIn(one) ?? []),
    names: [value.name, value.workflow_type, value.type].flatMap((one) => textIn(one) ?? []),
    title: textIn(value.title) ?? textIn(value.name),
    description: textIn(value.description) ?? "",
    total:
      countIn(value.total_phases) ??
      countIn(value.phases) ??
      (isDynamic || listed.length === 0 ? undefined : listed.length),
    phases: new Map(listed),
    isDynamic,
    optionName: textIn(config.source_path_key) ?? textIn(config.option),
  };
}

function listedPhase(value: Json, index: number): [number, string][] {
  if (typeof value === "string") return [[index, ""]];
  if (!isObject(value)) return [];
  const number = [value.phase_number, value.number, value.phase, value.id]
    .map(countIn)
    .find((one) => one !== undefined);
  const name = [value.phase_name, value.name, value.title].map(textIn).find((one) => one !== undefined);
  return number === undefined ? [] : [[number, name ?? ""]];
}

/** A promise that cannot be read might have been one of more phases than there are. */
function unclearKeys({ total_phases: total, phases, dynamic }: JsonObject, isDynamic: boolean): string[] {
  const isCount = (total ?? null) === null || countIn(total) !== undefined || isDynamic;
  const isList = (phases ?? null) === null || countIn(phases) !== undefined || typeof phases === "object";
  return [
    ...(isCount ? [] : ["total_phases must be a whole number"]),
    ...(isList ? [] : ["phases must be a list"]),
    ...(dynamic === undefined || typeof dynamic === "boolean" ? [] : ["dynamic must be true or false"]),
  ];
}

function textIn(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function countIn(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}
