import { runnerLevels } from "../../gates/result-statement.ts";
import { isObject, type JsonObject } from "../../kit/json.ts";
import type { Event } from "../../workflow/events.ts";

/** Tells if a parsed value is an event with everything the core reads, of the right type. */
export function isEvent(value: unknown): value is Event {
  if (!isObject(value) || !isKnownType(value.type)) return false;
  return isString(value.at) && isString(value.by) && shapes[value.type](value) && hasOptionalParts(value);
}

/** Tells if a parsed value is an event type only a newer Waymark knows. */
export function isUnknownEvent(value: unknown): boolean {
  return isObject(value) && isString(value.type) && !isKnownType(value.type);
}

const isString = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const areStrings = (value: unknown): boolean => Array.isArray(value) && value.every(isString);
const areObjects = (value: unknown): boolean => Array.isArray(value) && value.every(isObject);

const areFiles = (value: unknown): boolean =>
  Array.isArray(value) && value.every((file) => isObject(file) && isString(file.path) && isString(file.sha256));

const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === "string";

const isNumberOrNone = (value: unknown): boolean => value === undefined || isNumber(value);

/** Lists of objects with these string fields. */
const areNamed = (value: unknown, ...names: readonly string[]): boolean =>
  Array.isArray(value) && value.every((one) => isObject(one) && names.every((name) => isString(one[name])));

const isNext = (value: unknown): boolean =>
  value === undefined || value === null || (isObject(value) && isString(value.step) && isString(value.workflow));

const isApproval = (value: unknown): boolean =>
  isObject(value) &&
  isString(value.level) &&
  isTextOrNone(value.text) &&
  (value.by === undefined || (Array.isArray(value.by) && value.by.every(isPerson)));

const isAny = (): boolean => true;
const isStepRef = (event: JsonObject): boolean => isString(event.workflow) && isString(event.step);
const isPlaced = (event: JsonObject): boolean => isStepRef(event) && isNumber(event.pass);
const isStep = (event: JsonObject): boolean => isPlaced(event) && isNumber(event.attempt);

const isAnswerLevel = (level: unknown): boolean => level === "elicited" || level === "proven";

const isCheckResult = (value: unknown): boolean =>
  isObject(value) &&
  [value.name, value.definition, value.reads, value.summary].every(isString) &&
  (value.status === "passed" || value.status === "failed") &&
  (value.facts === undefined || isObject(value.facts)) &&
  (value.failing === undefined || areStrings(value.failing)) &&
  (value.signed === undefined || isSignedResult(value.signed));

const isSignedResult = (value: unknown): boolean =>
  isObject(value) &&
  isObject(value.statement) &&
  [value.statement.nonce, value.key, value.public, value.signature].every(isString) &&
  runnerLevels.some((level) => level === value.level);

const isPerson = (value: unknown): boolean => isObject(value) && isString(value.name) && isString(value.key);

const areItems = (value: unknown): boolean =>
  areNamed(value, "id", "title", "digest") &&
  Array.isArray(value) &&
  value.every((one) => isObject(one) && areStrings(one.after) && isObject(one.values) && isTextOrNone(one.was));

/** Signatures are verified where they count; here they only need to be readable. */
const isSigned = (value: unknown): boolean =>
  isObject(value) && isObject(value.statement) && isString(value.statement.nonce) && isObject(value.proof);

/** The required fields besides time and caller. */
const shapes: Record<Event["type"], (event: JsonObject) => boolean> = {
  started: (event) => isStep(event) && isTextOrNone(event.commit),
  went_back: (event) =>
    isStep(event) && areStrings(event.supersedes) && isTextOrNone(event.from) && isNumberOrNone(event.route),
  passed_over: (event) => isPlaced(event) && isString(event.condition) && isObject(event.read),
  finished: (event) =>
    isStep(event) && isString(event.outcome) && (event.level === undefined || isAnswerLevel(event.level)),
  items_taken: (event) =>
    isStep(event) &&
    isNumber(event.round) &&
    isString(event.list) &&
    isTextOrNone(event.definition) &&
    areItems(event.items),
  item_opened: (event) => isStep(event) && isString(event.item) && isString(event.session),
  item_settled: (event) =>
    isStep(event) &&
    [event.item, event.session, event.outcome, event.head].every(isString) &&
    isNumber(event.round) &&
    typeof event.isAccepted === "boolean" &&
    (event.collected === undefined || isObject(event.collected)),
  continued: isStep,
  met: isStep,
  focused: isStep,
  handed_in: isStep,
  check_wanted: (event) =>
    isStep(event) && [event.check, event.definition, event.digest].every(isString) && isTextOrNone(event.commit),
  checked: (event) => isStep(event) && isCheckResult(event.result),
  approved: (event) => isStep(event) && [event.digest, event.expires].every(isString) && isAnswerLevel(event.level),
  declined: isStep,
  blocked: (event) => isStep(event) && isString(event.reason) && isNumberOrNone(event.bound),
  answered: (event) =>
    isStep(event) &&
    isString(event.text) &&
    isAnswerLevel(event.level) &&
    [undefined, "again", "continue"].some((follows) => follows === event.follows),
  waived: (event) =>
    isStep(event) &&
    areStrings(event.fields) &&
    isString(event.reason) &&
    isAnswerLevel(event.level) &&
    isTextOrNone(event.follows),
  unanswered: isStep,
  completed: (event) =>
    isStep(event) &&
    isNumber(event.duration) &&
    isString(event.fingerprint) &&
    typeof event.finished === "boolean" &&
    isApproval(event.word) &&
    isNext(event.next) &&
    (event.claimed === undefined || areStrings(event.claimed)) &&
    (event.checks === undefined || areStrings(event.checks)) &&
    (event.waived === undefined || areNamed(event.waived, "field", "reason", "by")) &&
    (event.taken === undefined || isObject(event.taken)) &&
    isTextOrNone(event.items),
  skipped: isPlaced,
  refused: isStepRef,
  aside_started: isStepRef,
  aside_completed: (event) => isStepRef(event) && isNumber(event.duration) && isString(event.fingerprint),
  adopted: ({ workflow, step, state, timestamp, completed, before, vouched }) =>
    [workflow, state, timestamp].every(isString) &&
    isTextOrNone(step) &&
    areNamed(completed, "workflow", "step", "timestamp") &&
    areNamed(vouched, "workflow", "step") &&
    areStrings(before),
  began_anew: isAny,
  log_adopted: ({ log }) => areObjects(log),
  session_began: ({ workflow, target, run, options, definition, first, total, item }) =>
    [workflow, definition].every(isString) &&
    (item === undefined || (isObject(item) && isString(item.parent) && isString(item.id) && isObject(item.values))) &&
    (target === null || isString(target)) &&
    isTextOrNone(run) &&
    isObject(options) &&
    [first, total].every(isNumber),
  updated: ({ workflow, pass, definition, total, supersedes }) =>
    [workflow, definition].every(isString) && [pass, total].every(isNumber) && areStrings(supersedes),
  archived: isAny,
  identified: ({ project, later }) => isString(project) && (later === undefined || later === true),
  forgotten: ({ hashes, reason, workflow }) => areStrings(hashes) && isString(reason) && isTextOrNone(workflow),
  accepted: ({ what, hashes }) => [what, hashes].every(areStrings),
};

function isKnownType(type: unknown): type is Event["type"] {
  return typeof type === "string" && Object.hasOwn(shapes, type);
}

/** Optional fields of any event, named one by one instead of in a table, since every line of a history is checked here. */
function hasOptionalParts(event: JsonObject): boolean {
  const { client, name, digest, judgedBy, pass, attempt, inputs, outputs, evidence, correction, word } = event;
  const { content, warnings, notices, violations, supersedes, gaps, missing, person, signed, edits } = event;
  const { reason, comment, code, successor, fingerprint, attemptId } = event;
  return (
    (reason === undefined || typeof reason === "string") &&
    (comment === undefined || typeof comment === "string") &&
    (code === undefined || typeof code === "string") &&
    (successor === undefined || successor === null || typeof successor === "string") &&
    (attemptId === undefined || typeof attemptId === "string") &&
    (fingerprint === undefined || typeof fingerprint === "string") &&
    (client === undefined || isString(client)) &&
    (name === undefined || isString(name)) &&
    (digest === undefined || isString(digest)) &&
    (judgedBy === undefined || isString(judgedBy)) &&
    (pass === undefined || isNumber(pass)) &&
    (attempt === undefined || isNumber(attempt)) &&
    (inputs === undefined || isObject(inputs)) &&
    (outputs === undefined || isObject(outputs)) &&
    (evidence === undefined || isObject(evidence)) &&
    (correction === undefined || isObject(correction)) &&
    (word === undefined || isApproval(word)) &&
    (person === undefined || isPerson(person)) &&
    (signed === undefined || isSigned(signed)) &&
    (content === undefined || areFiles(content)) &&
    (warnings === undefined || areStrings(warnings)) &&
    (notices === undefined || areObjects(notices)) &&
    (violations === undefined || areNamed(violations, "rule", "severity", "file", "message")) &&
    (supersedes === undefined || areStrings(supersedes)) &&
    (edits === undefined || areStrings(edits)) &&
    (gaps === undefined || areStrings(gaps)) &&
    (missing === undefined || areNamed(missing, "field", "text"))
  );
}
