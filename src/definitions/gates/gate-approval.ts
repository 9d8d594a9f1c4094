import { type ApprovalLevel, approvalLevels } from "../../gates/approval-rule.ts";
import type { ApprovalPart } from "../../gates/combine-gates.ts";
import { defined } from "../../kit/defined.ts";
import { secondsIn } from "../../kit/duration.ts";
import { isObject, type Json } from "../../kit/json.ts";
import { runName } from "../../workflow/run-name.ts";
import { Form, isCount } from "./form.ts";
import type { GateSource } from "./gate-errors.ts";

/** Reads `approval` or `human_approval` of a gate file; anything invalid is reported and requires a person. */
export function readApproval(name: string, written: Json, source: GateSource): ApprovalPart {
  const { required: said = true, ...more } = isObject(written) ? written : { required: written };
  const isAsked = said === true || String(said).toLowerCase() === "required";
  const form = new Form(more, [name], source, ` of ${name}`);
  const level = form.take("level", isLevel, `one of ${approvalLevels.join(", ")}`);
  const people = form.take("by", areNames, "a list of approver names");
  const count = form.take("count", isFew, "a whole number from 1 to 20") ?? 1;
  const expires = form.take("expires", isExpiry, "a duration such as 20m, 12h or 7d, at most 365d");
  const question = form.take("question", isQuestion, `a text of at most ${longestQuestion} characters`);
  form.take("when", isAny, "");
  form.finish();
  const settings = Object.keys(more).length;
  if (!isAsked && said !== false)
    form.complain([], `${name} must be "required", true or false, or have level, by, count, expires, question or when`);
  if (isObject(written) && Object.keys(written).length === 0)
    form.complain([], `${name} must have required, level, by, count, expires, question or when`);
  if (said === false && settings > 0) form.complain([], `${name} is not required but has other settings`);
  if (said === false) return { approval: false };
  const approval = { approval: true, approvalSource: { file: source.file, line: source.lineOf([name]) } };
  if (settings === (more.when === undefined ? 0 : 1)) return approval;
  const by = people === undefined ? undefined : [...new Set([people].flat().map((one) => runName(one) ?? one))];
  // Only a key proves who approved, so named or several approvers require `proven`.
  const needsNames = by !== undefined || count > 1;
  const asked = level ?? (needsNames || more.level !== undefined ? "proven" : "relayed");
  if (needsNames && asked !== "proven")
    form.complain(["level"], `${name} names approvers or a count, which requires level: proven`);
  if (by !== undefined && by.length < count)
    form.complain(["count"], `${name} requires ${count} people but names ${by.length}`);
  return {
    ...approval,
    approvalNeeds: { level: asked, count, ...defined({ by, expires: secondsIn(expires), question }) },
  };
}

const isLevel = (value: Json): value is ApprovalLevel => approvalLevels.some((level) => level === value);
const isAny = (_: Json): _ is Json => true;
const isFew = (value: Json): value is number => isCount(value) && value <= 20;
const isName = (value: Json): value is string =>
  typeof value === "string" && !value.includes("/") && runName(value) !== undefined;
const areNames = (value: Json): value is string | readonly string[] =>
  isName(value) || (Array.isArray(value) && value.length > 0 && value.every(isName));
const longestQuestion = 300;
const isQuestion = (value: Json): value is string =>
  typeof value === "string" && /[\p{L}\p{N}]/u.test(value) && value.length <= longestQuestion;
const isExpiry = (value: Json): value is string => {
  const seconds = secondsIn(value);
  return seconds !== undefined && seconds >= 1 && seconds <= 365 * 86_400;
};
