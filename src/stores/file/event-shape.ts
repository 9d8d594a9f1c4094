import type { Event } from "../../workflow/events.ts";
import { isObject, type JsonObject } from "../../workflow/json.ts";

type Kind = "string" | "number" | "boolean" | "object" | "strings" | "objects";
type Shape = { readonly [field: string]: Kind };

/** Tells whether a parsed value is an event that can be added up: everything the core reads is there and of its kind. */
export function isEvent(value: unknown): value is Event {
  return isObject(value) && isKnownType(value.type) && hasShape(value, requiredFields.get(value.type) ?? []);
}

/** Tells whether a parsed value is an event of a kind that only a newer Waymark knows. */
export function isUnknownEvent(value: unknown): boolean {
  return isObject(value) && typeof value.type === "string" && !isKnownType(value.type);
}

const ref: Shape = { workflow: "string", pass: "number", step: "string", attempt: "number" };

const shapes: Record<Event["type"], Shape> = {
  started: ref,
  went_back: { ...ref, supersedes: "strings" },
  continued: ref,
  focused: ref,
  handed_in: ref,
  declined: ref,
  completed: { ...ref, duration: "number", fingerprint: "string", finished: "boolean" },
  skipped: { workflow: "string", pass: "number", step: "string" },
  refused: { workflow: "string", step: "string" },
  aside_started: { workflow: "string", step: "string" },
  aside_completed: { workflow: "string", step: "string", duration: "number", fingerprint: "string" },
  adopted: {
    workflow: "string",
    state: "string",
    timestamp: "string",
    completed: "objects",
    before: "strings",
    vouched: "objects",
  },
  began_anew: {},
  log_adopted: { log: "objects" },
  session_began: { workflow: "string", options: "object", definition: "string", first: "number", total: "number" },
  archived: {},
};

/** Fields that may be missing, in any event. */
const optional: Shape = {
  inputs: "object",
  outputs: "object",
  evidence: "object",
  content: "objects",
  warnings: "strings",
  violations: "objects",
  supersedes: "strings",
  gaps: "strings",
};

type Field = readonly [string, Kind];

const optionalFields: readonly Field[] = Object.entries(optional);

const requiredFields: ReadonlyMap<unknown, readonly Field[]> = new Map(
  Object.entries(shapes).map(([type, shape]) => [
    type,
    Object.entries({ at: "string", by: "string", ...shape } as const),
  ]),
);

function isKnownType(type: unknown): type is Event["type"] {
  return requiredFields.has(type);
}

function hasShape(value: JsonObject, required: readonly Field[]): boolean {
  return (
    required.every(([field, kind]) => isKind(value[field], kind)) &&
    optionalFields.every(([field, kind]) => value[field] === undefined || isKind(value[field], kind))
  );
}

function isKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case "object":
      return isObject(value);
    case "strings":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "objects":
      return Array.isArray(value) && value.every(isObject);
    default:
      return typeof value === kind;
  }
}
