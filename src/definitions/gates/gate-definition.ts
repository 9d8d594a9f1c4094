import type { Check } from "../../gates/check.ts";
import { type ApprovalPart, combinedApproval } from "../../gates/combine-gates.ts";
import { type Gate, hasRequirements, hasSettings } from "../../gates/gate.ts";
import type { Problem } from "../../gates/problem.ts";
import { defined } from "../../kit/defined.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { parseYaml } from "../files/yaml.ts";
import { readCrossField } from "./cross-field.ts";
import { readEvidenceSchema } from "./evidence-schema.ts";
import { areTexts, Form, isInside } from "./form.ts";
import { readApproval } from "./gate-approval.ts";
import { readGateChecks } from "./gate-checks.ts";
import { type GateError, type GateSource, gateErrorMeanings, type ReportGateError } from "./gate-errors.ts";
import { readRouting } from "./gate-routing.ts";
import { callKeys } from "./read-calls.ts";

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
  if (!hasRequirements(gate) && !hasSettings(gate) && complaints.length === 0)
    complaints.push({ line: firstLine + 1, message: "the file requires nothing", kind: "nothing", at: [] });
  return { gate, complaints };
}

/** Keys that only describe the gate. */
const descriptive = ["name", "title", "description", "version", "phase"];

function parseGateMapping(value: JsonObject, written: GateSource): Gate {
  const form = new Form(value, [], written);
  const place = (key: string) => ({ file: written.file, line: written.lineOf([key]) });
  for (const key of descriptive) form.take(key, isPlain, "a string");
  const named = form.take("validators", isObject, "a mapping of names") ?? {};
  const schema = form.take("evidence_schema", isAny, "");
  const crossField = form.take("cross_field_validation", isAny, "") ?? [];
  const { requirements, examples } =
    schema === undefined ? { requirements: [], examples: {} } : readEvidenceSchema(schema, named, written);
  // Both keys are read, so that neither hides an error in the other.
  const asking = ["approval", "human_approval"].map((key) =>
    readApproval(key, form.take(key, isAny, "") ?? false, written),
  );
  // Gates are always strict, but an unknown key might have mattered.
  const checkpoint = new Form(
    form.take("checkpoint", isObject, "a mapping") ?? {},
    ["checkpoint"],
    written,
    " of checkpoint",
  );
  for (const key of ["enabled", "strict", "allow_override"]) checkpoint.take(key, isAny, "");
  checkpoint.finish();
  const runner = form.take("runner", isIndependent, "independent");
  const read = readGateChecks(form.take("checks", isAny, "") ?? [], written);
  const { rulesHold } = read;
  const checks = runner === undefined ? read.checks : read.checks.map((one) => withRunner(one, runner));
  if (runner !== undefined && checks.every((one) => one.runner === undefined))
    written.complain("value", ["runner"], "runner needs a check with run or git");
  const fresh = form.take("fresh", areNames, "a list of check names") ?? [];
  const edits = form.take("edits", areGlobs, "a list of globs inside the project area, such as [src/**]");
  const [when, routes, role] = ["when", "then", "role"].map((key) => form.take(key, isAny, ""));
  const approvalWhen = isObject(value.approval) ? value.approval.when : undefined;
  const calls = Object.fromEntries(callKeys.map((key) => [key, form.take(key, isAny, "")]));
  const routing = readRouting({ when, routes, role, approvalWhen, calls }, written);
  form.finish();
  return {
    requirements,
    comparisons: readCrossField(crossField, requirements, written),
    examples,
    rulesHold,
    ...(checks.length === 0 ? {} : { checks }),
    ...(fresh.length === 0 ? {} : { fresh, freshSource: place("fresh") }),
    ...(edits === undefined ? {} : { edits, editsSource: place("edits") }),
    ...defined({ routing }),
    ...asking.reduce<ApprovalPart>(combinedApproval, { approval: false }),
  };
}

const isIndependent = (value: Json): value is "independent" => value === "independent";

/** Asks the runner for a command or git; a file check needs none, since submitted files are on the server. */
function withRunner(check: Check, runner: "independent"): Check {
  return check.kind === "file" ? check : { ...check, runner };
}

const isAny = (_: Json): _ is Json => true;
const isPlain = (value: Json): value is string => !isObject(value) && !Array.isArray(value);
const areNames = (value: Json): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");
const areGlobs = (value: Json): value is readonly string[] =>
  areTexts(value) && value.every((glob) => isInside(glob) && !glob.startsWith("!"));
