import { type ApprovalPart, combinedApproval } from "../../gates/combine-gates.ts";
import { type Gate, hasRequirements } from "../../gates/gate.ts";
import type { Problem } from "../../gates/problem.ts";
import { defined } from "../../kit/defined.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { parseYaml } from "../files/yaml.ts";
import { readCrossField } from "./cross-field.ts";
import { readEvidenceSchema } from "./evidence-schema.ts";
import { readApproval } from "./gate-approval.ts";
import { readGateChecks } from "./gate-checks.ts";
import { type GateError, type GateSource, gateErrorMeanings, type ReportGateError } from "./gate-errors.ts";

/** A gate as its file describes it, or why it must stay closed. */
export type GateRead = { readonly gate: Gate } | { readonly unusable: Omit<Problem, "file"> };

/** Parses a gate definition whole or not at all; one unknown key closes the gate. */
export function parseGate(text: string, file = "gate-definition.yaml", firstLine = 0): GateRead {
  const read = readGate(text, file, firstLine);
  const [first] = read.complaints;
  if (first === undefined) return { gate: read.gate };
  const { kind, line, message } = first;
  return {
    unusable: { ...gateErrorMeanings[kind], message, ...(kind === "nothing" && firstLine === 0 ? {} : { line }) },
  };
}

/** Parses a gate definition and lists everything that keeps it closed. */
export function readGate(
  text: string,
  file: string,
  firstLine = 0,
): { readonly gate: Gate; readonly complaints: readonly GateError[] } {
  const complaints: GateError[] = [];
  const yaml = parseYaml(text);
  const lineOf = (at: readonly string[]): number => firstLine + ("error" in yaml ? yaml.line : yaml.lineOf(at));
  const complain: ReportGateError = (kind, at, message) => complaints.push({ line: lineOf(at), message, kind, at });
  const value = "error" in yaml ? null : (yaml.value ?? {});
  const gate = parseGateMapping(isObject(value) ? value : {}, { file, lineOf, complain });
  if ("error" in yaml) complain("yaml", [], yaml.error);
  else if (!isObject(value)) complain("yaml", [], "a gate must be a mapping with evidence_schema, approval or checks");
  if (!hasRequirements(gate) && gate.edits === undefined && complaints.length === 0)
    complaints.push({ line: firstLine + 1, message: "the file requires nothing", kind: "nothing", at: [] });
  return { gate, complaints };
}

/** Keys that only describe the gate. */
const descriptive = ["name", "title", "description", "version", "phase"];

function parseGateMapping(value: JsonObject, written: GateSource): Gate {
  const { file, lineOf, complain } = written;
  const { evidence_schema: schema, validators, cross_field_validation: crossField, ...rest } = value;
  const {
    approval = false,
    human_approval: humanApproval = false,
    checks = [],
    fresh = [],
    edits,
    checkpoint = {},
    ...others
  } = rest;
  for (const [key, said] of Object.entries(others)) {
    if (!descriptive.includes(key)) complain("key", [key], `the key "${key}" is unknown`);
    else if (isObject(said) || Array.isArray(said)) complain("value", [key], `${key} must be a string`);
  }
  const named = validators ?? {};
  if (!isObject(named)) complain("value", ["validators"], "validators must be a mapping of names");
  const { requirements, examples } =
    schema === undefined
      ? { requirements: [], examples: {} }
      : readEvidenceSchema(schema, isObject(named) ? named : {}, written);
  // Both keys are read, so that neither hides an error in the other.
  const asking = Object.entries({ approval, human_approval: humanApproval }).map(([key, said]) => {
    const { asked, needs } = readApproval(key, said, complain);
    const source = { approvalSource: { file, line: lineOf([key]) } };
    return { approval: asked, ...(asked ? source : {}), ...defined({ approvalNeeds: needs }) };
  });
  // Gates are always strict, but an unknown key might have mattered.
  if (!isObject(checkpoint)) complain("value", ["checkpoint"], "checkpoint must be a mapping");
  for (const key of Object.keys(isObject(checkpoint) ? checkpoint : {}))
    if (!["enabled", "strict", "allow_override"].includes(key))
      complain("key", ["checkpoint", key], `the key "${key}" of checkpoint is unknown`);
  const { rulesHold, checks: asked } = readGateChecks(checks, written);
  const freshAsked = namesIn("fresh", fresh, complain);
  const mayChange = edits === undefined ? [] : globsIn("edits", edits, complain);
  return {
    requirements,
    comparisons: readCrossField(crossField ?? [], requirements, written),
    examples,
    rulesHold,
    ...(asked.length === 0 ? {} : { checks: asked }),
    ...(freshAsked.length === 0 ? {} : { fresh: freshAsked, freshSource: { file, line: lineOf(["fresh"]) } }),
    ...(mayChange.length === 0 ? {} : { edits: mayChange, editsSource: { file, line: lineOf(["edits"]) } }),
    ...asking.reduce<ApprovalPart>(combinedApproval, { approval: false }),
  };
}

function namesIn(key: string, value: Json, complain: ReportGateError): readonly string[] {
  const areNames = Array.isArray(value) && value.every((one) => typeof one === "string");
  if (!areNames) complain("value", [key], `${key} must be a list of check names`);
  return areNames ? value : [];
}

/** Parses a list of globs inside the project area. */
function globsIn(key: string, value: Json, complain: ReportGateError): readonly string[] {
  const isGlob = (one: Json): one is string =>
    typeof one === "string" &&
    one.trim() !== "" &&
    !/^(?:[/!]|[A-Za-z]:)|\\/.test(one) &&
    !one.split("/").includes("..");
  const areGlobs = Array.isArray(value) && value.length > 0 && value.length <= 100 && value.every(isGlob);
  if (!areGlobs) complain("value", [key], `${key} must be a list of globs inside the project area, such as [src/**]`);
  return areGlobs ? value : [];
}
