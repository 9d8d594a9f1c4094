import { type Approval, type Level, levels } from "../../evidence/approval.ts";
import { secondsIn } from "../../evidence/duration.ts";
import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import { runName } from "../../evidence/run-name.ts";
import type { Complain } from "./complaints.ts";

/** Whether a gate asks a person, and what for where it says more than that. */
export type ApprovalRead = { readonly asked: boolean; readonly needs?: Approval };

/** Reads what a gate file says under `approval` (or `human_approval`); what is not understood is noted, and a person is asked. */
export function readApproval(name: string, written: Json, complain: Complain): ApprovalRead {
  const { required = true, level, by, count, expires, ...others } = isObject(written) ? written : { required: written };
  for (const key of Object.keys(others)) complain("key", [name, key], `the key "${key}" of ${name} is not understood`);
  if (required !== true && required !== false && String(required).toLowerCase() !== "required")
    complain("value", [name], `${name} must be "required", true or false, or say level, by, count or expires`);
  const more: JsonObject = Object.fromEntries(
    Object.entries({ level, by, count, expires }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    ),
  );
  if (isObject(written) && Object.keys(written).length === 0)
    complain("value", [name], `${name} must say required, level, by, count or expires`);
  if (required === false && Object.keys(more).length > 0)
    complain("value", [name], `${name} is not required, and says what it needs all the same`);
  if (required === false) return { asked: false };
  return Object.keys(more).length === 0 ? { asked: true } : { asked: true, needs: needsIn(name, more, complain) };
}

/** Only a key says whose a word is: where names or several people are asked for, nothing less will do. */
function needsIn(name: string, { level, by, count, expires }: JsonObject, complain: Complain): Approval {
  const people = by === undefined ? undefined : namesIn(name, by, complain);
  const many = count === undefined ? 1 : countIn(name, count, complain);
  const needsNames = people !== undefined || many > 1;
  const asked = level === undefined ? (needsNames ? "proven" : "relayed") : levelIn(name, level, complain);
  if (needsNames && asked !== "proven")
    complain("value", [name, "level"], `${name} asks for people by name or number, which takes level: proven`);
  if (people !== undefined && people.length < many)
    complain("value", [name, "count"], `${name} asks for ${many} people and names ${people.length}`);
  const seconds = expires === undefined ? undefined : secondsIn(expires);
  if (expires !== undefined && (seconds === undefined || seconds < 1 || seconds > longest))
    complain("value", [name, "expires"], `expires must be a duration such as 20m, 12h or 7d, at most 365d`);
  return {
    level: asked,
    count: many,
    ...(people === undefined ? {} : { by: people }),
    ...(seconds === undefined ? {} : { expires: seconds }),
  };
}

const longest = 365 * 86_400;

function levelIn(name: string, value: Json, complain: Complain): Level {
  const found = levels.find((level) => level === value);
  if (found === undefined) complain("value", [name, "level"], `level must be one of ${levels.join(", ")}`);
  return found ?? "proven";
}

/** Names as they are kept: those that differ in case or Unicode form only are one. */
function namesIn(name: string, value: Json, complain: Complain): readonly string[] {
  const written = (Array.isArray(value) ? value : [value]).map((one) =>
    typeof one === "string" && !one.includes("/") ? runName(one) : undefined,
  );
  const names = written.filter((one) => one !== undefined);
  if (names.length === 0 || names.length < written.length)
    complain("value", [name, "by"], "by must be a list of names of approvers");
  return [...new Set(names)];
}

function countIn(name: string, value: Json, complain: Complain): number {
  const isCount = typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 20;
  if (!isCount) complain("value", [name, "count"], "count must be a whole number of people, from 1 to 20");
  return isCount ? value : 1;
}
