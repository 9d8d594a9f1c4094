import { type EvidenceType, evidenceTypes, type Gate, type Requirement } from "../../workflow/gate.ts";
import { isObject } from "../../workflow/json.ts";
import { parseYaml } from "./yaml.ts";

/** A gate as its file describes it; or why it must stay closed. */
export type GateRead = { readonly gate: Gate } | { readonly unusable: string };

/** Understands a gate definition whole or not at all: one key that is not understood closes the gate. */
export function parseGate(text: string): GateRead {
  const yaml = parseYaml(text);
  if ("error" in yaml) return { unusable: `line ${yaml.line}: ${yaml.error}` };
  if (yaml.value === null || yaml.value === undefined) return { unusable: "the file asks for nothing" };
  if (!isObject(yaml.value))
    return { unusable: "line 1: a gate is a mapping with evidence_schema, approval or checks" };

  const complaints: string[] = [];
  const complain: Complain = (path, message) => complaints.push(`line ${yaml.lineOf(path)}: ${message}`);
  const { evidence_schema: schema, approval, checks, checkpoint, ...others } = yaml.value;
  for (const key of Object.keys(others)) complain([key], `the key "${key}" is not understood`);
  const gate: Gate = {
    requirements: schema === undefined ? [] : requirementsOf(schema, complain),
    rulesHold: checks !== undefined && rulesAsked(checks, complain),
    approval: approval !== undefined && approvalAsked(approval, complain),
  };
  if (checkpoint !== undefined) lookAtCheckpoint(checkpoint, complain);
  const [first] = complaints;
  if (first !== undefined) return { unusable: first };
  const asksNothing = gate.requirements.length === 0 && !gate.rulesHold && !gate.approval;
  return asksNothing ? { unusable: "the file asks for nothing" } : { gate };
}

type Complain = (path: readonly string[], message: string) => void;

function requirementsOf(schema: unknown, complain: Complain): Requirement[] {
  if (!isObject(schema) || Object.keys(schema).length === 0) {
    complain(["evidence_schema"], "evidence_schema must name at least one field");
    return [];
  }
  return Object.entries(schema).flatMap(([field, value]) => requirementOf(field, value, complain));
}

function requirementOf(field: string, value: unknown, complain: Complain): Requirement[] {
  const path = ["evidence_schema", field];
  if (!isObject(value)) {
    complain(path, `the field ${field} must be a mapping with a type`);
    return [];
  }
  const { type: written, required = true, description, ...others } = value;
  for (const key of Object.keys(others)) complain([...path, key], `the key "${key}" of ${field} is not understood`);
  const type = typeOf(written);
  if (type === undefined) {
    const message = written === undefined ? `has no type` : `has the unknown type ${JSON.stringify(written)}`;
    complain([...path, "type"], `the field ${field} ${message}`);
  }
  if (typeof required !== "boolean") complain([...path, "required"], `required of ${field} must be true or false`);
  if (isObject(description) || Array.isArray(description))
    complain([...path, "description"], `description of ${field} must be a text`);
  if (type === undefined || typeof required !== "boolean") return [];
  const described = String(description ?? "")
    .replace(/\s+/g, " ")
    .trim();
  return [{ field, type, required, description: described === "" ? type : described }];
}

const otherSpellings = new Map<unknown, EvidenceType>([
  ["float", "number"],
  ["array", "list"],
]);

function typeOf(written: unknown): EvidenceType | undefined {
  return evidenceTypes.find((type) => type === written) ?? otherSpellings.get(written);
}

function approvalAsked(approval: unknown, complain: Complain): boolean {
  const { required, ...others } = isObject(approval) ? approval : { required: approval };
  for (const key of Object.keys(others)) complain(["approval", key], `the key "${key}" of approval is not understood`);
  if (required === false) return false;
  if (required !== true && required !== "required")
    complain(["approval"], `approval must be "required", true or false`);
  return true;
}

function rulesAsked(checks: unknown, complain: Complain): boolean {
  if (!Array.isArray(checks)) complain(["checks"], "checks must be a list");
  const list: readonly unknown[] = Array.isArray(checks) ? checks : [];
  for (const check of list)
    if (check !== "rules") complain(["checks"], `the check ${JSON.stringify(check)} is not understood`);
  return list.includes("rules");
}

/** Gates are strict whatever it says; but what nobody understands might have mattered. */
function lookAtCheckpoint(checkpoint: unknown, complain: Complain): void {
  if (!isObject(checkpoint)) complain(["checkpoint"], "checkpoint must be a mapping");
  for (const key of Object.keys(isObject(checkpoint) ? checkpoint : {})) {
    if (key !== "strict" && key !== "allow_override")
      complain(["checkpoint", key], `the key "${key}" of checkpoint is not understood`);
  }
}
