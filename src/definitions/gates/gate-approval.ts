import { type ApprovalLevel, type ApprovalRule, approvalLevels } from "../../gates/approval-rule.ts";
import { defined } from "../../kit/defined.ts";
import { secondsIn } from "../../kit/duration.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { runName } from "../../workflow/run-name.ts";
import type { ReportGateError } from "./gate-errors.ts";

/** The approval a gate asks for, with its rule if it sets one. */
export type ApprovalRead = { readonly asked: boolean; readonly needs?: ApprovalRule };

/** Reads `approval` or `human_approval` of a gate file; anything invalid is reported and requires a person. */
export function readApproval(name: string, written: Json, complain: ReportGateError): ApprovalRead {
  const {
    required = true,
    level,
    by,
    count,
    expires,
    when,
    ...others
  } = isObject(written) ? written : { required: written };
  for (const key of Object.keys(others)) complain("key", [name, key], `the key "${key}" of ${name} is unknown`);
  if (required !== true && required !== false && String(required).toLowerCase() !== "required")
    complain("value", [name], `${name} must be "required", true or false, or have level, by, count, expires or when`);
  const more: JsonObject = Object.fromEntries(
    Object.entries({ level, by, count, expires }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    ),
  );
  if (isObject(written) && Object.keys(written).length === 0)
    complain("value", [name], `${name} must have required, level, by, count, expires or when`);
  if (required === false && (Object.keys(more).length > 0 || when !== undefined))
    complain("value", [name], `${name} is not required but has other settings`);
  if (required === false) return { asked: false };
  return Object.keys(more).length === 0
    ? { asked: true }
    : { asked: true, needs: parseApprovalRule(name, more, complain) };
}

/** Only a key proves who approved, so named or several approvers require `proven`. */
function parseApprovalRule(
  name: string,
  { level, by, count, expires }: JsonObject,
  complain: ReportGateError,
): ApprovalRule {
  const people = by === undefined ? undefined : namesIn(name, by, complain);
  const many = count === undefined ? 1 : countIn(name, count, complain);
  const needsNames = people !== undefined || many > 1;
  const asked = level === undefined ? (needsNames ? "proven" : "relayed") : levelIn(name, level, complain);
  if (needsNames && asked !== "proven")
    complain("value", [name, "level"], `${name} names approvers or a count, which requires level: proven`);
  if (people !== undefined && people.length < many)
    complain("value", [name, "count"], `${name} requires ${many} people but names ${people.length}`);
  const seconds = expires === undefined ? undefined : secondsIn(expires);
  if (expires !== undefined && (seconds === undefined || seconds < 1 || seconds > longest))
    complain("value", [name, "expires"], `expires must be a duration such as 20m, 12h or 7d, at most 365d`);
  return {
    level: asked,
    count: many,
    ...defined({ by: people, expires: seconds }),
  };
}

const longest = 365 * 86_400;

function levelIn(name: string, value: Json, complain: ReportGateError): ApprovalLevel {
  const found = approvalLevels.find((level) => level === value);
  if (found === undefined) complain("value", [name, "level"], `level must be one of ${approvalLevels.join(", ")}`);
  return found ?? "proven";
}

/** Normalizes names; those that differ only in case or Unicode form are the same. */
function namesIn(name: string, value: Json, complain: ReportGateError): readonly string[] {
  const written = (Array.isArray(value) ? value : [value]).map((one) =>
    typeof one === "string" && !one.includes("/") ? runName(one) : undefined,
  );
  const names = written.filter((one) => one !== undefined);
  if (names.length === 0 || names.length < written.length)
    complain("value", [name, "by"], "by must be a list of approver names");
  return [...new Set(names)];
}

function countIn(name: string, value: Json, complain: ReportGateError): number {
  const isCount = typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 20;
  if (!isCount) complain("value", [name, "count"], "count must be a whole number from 1 to 20");
  return isCount ? value : 1;
}
