import { isObject, type JsonObject } from "../../workflow/json.ts";
import { parseGate } from "../gates/gate-definition.ts";
import { parseYaml } from "../gates/yaml.ts";

/** One thing that keeps a gate closed, in the loader's own words. */
export type Complaint = {
  readonly line: number;
  readonly message: string;
  /** The file is no mapping at all, or no YAML. */
  readonly malformed?: true;
};

/**
 * Lists everything that keeps a gate closed. The loader stops at the first complaint, so what it complains of is taken out
 * and it is asked again: it alone knows what a gate may say.
 */
export function findComplaints(text: string): Complaint[] {
  const first = parseGate(text);
  if ("gate" in first) return [];
  const yaml = parseYaml(text);
  if ("error" in yaml) return [{ ...asComplaint(first.unusable), malformed: true }];
  if (!isObject(yaml.value)) return [asComplaint(first.unusable)];
  const complaints: Complaint[] = [];
  let rest = yaml.value;
  while (complaints.length < most) {
    const read = parseGate(JSON.stringify(rest));
    // What is left of a gate after its faults are taken out may well ask for nothing.
    if ("gate" in read || (read.unusable === nothingAsked && complaints.length > 0)) return complaints;
    const { message } = asComplaint(read.unusable);
    const path = placeOf(message, rest);
    if (path === undefined) return [...complaints, { line: 1, message }];
    complaints.push({ line: yaml.lineOf(path), message });
    rest = without(rest, path);
  }
  return complaints;
}

/** What the loader says of a gate that can be passed with nothing. */
export const nothingAsked = "the file asks for nothing";

const most = 100;

function asComplaint(unusable: string): Complaint {
  const [, line, message] = /^line (\d+): (.*)$/s.exec(unusable) ?? [];
  return line === undefined || message === undefined ? { line: 1, message: unusable } : { line: Number(line), message };
}

/** Where in the gate the loader's complaint belongs. */
function placeOf(message: string, gate: JsonObject): readonly string[] | undefined {
  const [, key, owner] = /^the key "(.*?)"(?: of (.+))? is not understood$/s.exec(message) ?? [];
  if (key !== undefined && owner === undefined) return existing(gate, [key]);
  if (key !== undefined && owner !== undefined) {
    return existing(gate, [owner, key]) ?? existing(gate, ["evidence_schema", owner, key]);
  }
  const [, field, part] = /^the field (.+?) (must be a mapping|has)/s.exec(message) ?? [];
  if (field !== undefined && part !== undefined) {
    return existing(gate, ["evidence_schema", field, "type"]) ?? existing(gate, ["evidence_schema", field]);
  }
  const [, value, of] = /^(required|description) of (.+) must be/s.exec(message) ?? [];
  if (value !== undefined && of !== undefined) return existing(gate, ["evidence_schema", of, value]);
  if (message.startsWith("the check ")) return existing(gate, ["checks"]);
  const [, whole = ""] = /^(approval|checks|checkpoint|evidence_schema) must/.exec(message) ?? [];
  return existing(gate, [whole]);
}

function existing(gate: JsonObject, path: readonly string[]): readonly string[] | undefined {
  let at: unknown = gate;
  for (const key of path) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return path;
}

/** A gate without one key; a field whose type is at fault goes as a whole. */
function without(gate: JsonObject, path: readonly string[]): JsonObject {
  const [key = "", ...rest] = path.at(-1) === "type" ? path.slice(0, -1) : path;
  const { [key]: inner, ...others } = gate;
  return rest.length === 0 || !isObject(inner) ? others : { ...others, [key]: without(inner, rest) };
}
