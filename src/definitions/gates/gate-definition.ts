import type { Gate } from "../../evidence/gate.ts";
import { isObject, type JsonObject } from "../../evidence/json.ts";
import type { Problem } from "../../evidence/problem.ts";
import { parseYaml } from "../yaml.ts";
import { type Complain, type Complaint, meanings, nothingAsked } from "./complaints.ts";
import { readCrossField } from "./cross-field.ts";
import { type LineOf, readEvidenceSchema } from "./evidence-schema.ts";

/** A gate as its file describes it; or why it must stay closed. */
export type GateRead = { readonly gate: Gate } | { readonly unusable: Omit<Problem, "file"> };

/** Understands a gate definition whole or not at all: one key that is not understood closes the gate. */
export function parseGate(text: string, file = "gate-definition.yaml"): GateRead {
  const read = readGate(text, file);
  const [first] = read.complaints;
  if (first === undefined) return { gate: read.gate };
  const { kind, line, message } = first;
  return { unusable: { ...meanings[kind], message, ...(kind === "nothing" ? {} : { line }) } };
}

/** The same for whoever wants to know everything that keeps it closed. */
export function readGate(
  text: string,
  file: string,
): { readonly gate: Gate; readonly complaints: readonly Complaint[] } {
  const yaml = parseYaml(text);
  if ("error" in yaml) return unread({ line: yaml.line, message: yaml.error, kind: "yaml", at: [] });
  if (yaml.value === null || yaml.value === undefined)
    return unread({ line: 1, message: nothingAsked, kind: "nothing", at: [] });
  if (!isObject(yaml.value))
    return unread({
      line: 1,
      message: "a gate is a mapping with evidence_schema, approval or checks",
      kind: "yaml",
      at: [],
    });
  const complaints: Complaint[] = [];
  const complain: Complain = (kind, path, message) =>
    complaints.push({ line: yaml.lineOf(path), message, kind, at: path });
  const gate = understand(yaml.value, file, yaml.lineOf, complain);
  // Where every field may be left out, empty evidence would pass.
  const asksNothing = !gate.requirements.some(({ required }) => required) && !gate.rulesHold && !gate.approval;
  if (asksNothing && complaints.length === 0)
    complaints.push({ line: 1, message: nothingAsked, kind: "nothing", at: [] });
  return { gate, complaints };
}

function unread(complaint: Complaint): ReturnType<typeof readGate> {
  const gate = { requirements: [], comparisons: [], examples: {}, rulesHold: false, approval: false };
  return { gate, complaints: [complaint] };
}

/** Keys that only say what the gate is: they ask for nothing. */
const descriptive = ["name", "title", "description", "version", "phase"];

function understand(value: JsonObject, file: string, lineOf: LineOf, complain: Complain): Gate {
  const { evidence_schema: schema, validators, cross_field_validation: crossField, examples, ...rest } = value;
  const { approval, human_approval: humanApproval, checks, checkpoint, ...others } = rest;
  for (const [key, said] of Object.entries(others)) {
    if (!descriptive.includes(key)) complain("key", [key], `the key "${key}" is not understood`);
    else if (isObject(said) || Array.isArray(said)) complain("value", [key], `${key} must be a text`);
  }
  if (validators !== undefined && validators !== null && !isObject(validators))
    complain("value", ["validators"], "validators must be a mapping of names");
  const named = isObject(validators) ? validators : {};
  const evidence =
    schema === undefined
      ? { requirements: [], examples: {} }
      : readEvidenceSchema(schema, named, file, lineOf, complain);
  const comparisons =
    crossField === undefined || crossField === null
      ? []
      : readCrossField(crossField, evidence.requirements, file, lineOf, complain);
  // Both are read, so that neither can hide what is wrong with the other.
  const asking = [
    ...(approval !== undefined && approvalAsked("approval", approval, complain) ? ["approval"] : []),
    ...(humanApproval !== undefined && approvalAsked("human_approval", humanApproval, complain)
      ? ["human_approval"]
      : []),
  ];
  if (checkpoint !== undefined) lookAtCheckpoint(checkpoint, complain);
  return {
    requirements: evidence.requirements,
    comparisons,
    examples: { ...examplesIn(examples, complain), ...evidence.examples },
    rulesHold: checks !== undefined && rulesAsked(checks, complain),
    approval: asking.length > 0,
    ...(asking.length > 0 ? { approvalSource: { file, line: lineOf(asking) } } : {}),
  };
}

/** Whole pieces of evidence, as an example: one, or a list whose first is taken. */
function examplesIn(examples: unknown, complain: Complain): JsonObject {
  const first: unknown = Array.isArray(examples) ? examples[0] : examples;
  if (first === undefined || first === null) return {};
  if (isObject(first)) return first;
  complain("value", ["examples"], "examples must be evidence by field");
  return {};
}

function approvalAsked(name: string, approval: unknown, complain: Complain): boolean {
  const { required, ...others } = isObject(approval) ? approval : { required: approval };
  for (const key of Object.keys(others)) complain("key", [name, key], `the key "${key}" of ${name} is not understood`);
  if (required === false) return false;
  if (required !== true && String(required).toLowerCase() !== "required")
    complain("value", [name], `${name} must be "required", true or false`);
  return true;
}

function rulesAsked(checks: unknown, complain: Complain): boolean {
  if (!Array.isArray(checks)) complain("value", ["checks"], "checks must be a list");
  const list: readonly unknown[] = Array.isArray(checks) ? checks : [];
  for (const check of list)
    if (check !== "rules") complain("value", ["checks"], `the check ${JSON.stringify(check)} is not understood`);
  return list.includes("rules");
}

/** Gates are strict whatever it says; but what nobody understands might have mattered. */
function lookAtCheckpoint(checkpoint: unknown, complain: Complain): void {
  if (!isObject(checkpoint)) complain("value", ["checkpoint"], "checkpoint must be a mapping");
  for (const key of Object.keys(isObject(checkpoint) ? checkpoint : {})) {
    if (!["enabled", "strict", "allow_override"].includes(key))
      complain("key", ["checkpoint", key], `the key "${key}" of checkpoint is not understood`);
  }
}
