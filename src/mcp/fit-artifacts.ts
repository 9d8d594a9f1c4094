import { isObject, type Json, type JsonObject } from "../kit/json.ts";
import type { PhaseArtifact, SessionView } from "../workflow/session-view.ts";
import { estimateTokens } from "./reply-tokens.ts";

/** Numbers, booleans and texts up to this length always stay. */
export const shortText = 120;

/** The artifacts of earlier phases, cut to fit a reply. */
export type FittedArtifacts = { readonly artifacts: JsonObject; readonly trimmed: boolean };

/** The token budget below which artifacts that the caller submitted itself are not cut. */
const roomAfterCompletion = 260;

/** The token budget of all artifacts together; long texts and lists are cut to fit. */
const room = 780;

/** The part of long texts and lists that stays, for each try. */
const cuts = [
  { text: shortText, items: 8 },
  { text: 40, items: 2 },
  { text: 0, items: 0 },
] as const;

/** Fits what one step submitted into a reply: long texts and lists are cut. */
export function fitSubmitted(submitted: JsonObject): Json {
  return shorten(submitted, cuts[0]);
}

/** Fits the artifacts of all completed phases into a reply: no phase and nothing short is left out; long texts and lists are cut, oldest first. */
export function fitArtifacts(all: SessionView["phase_artifacts"]): FittedArtifacts {
  const phases = Object.entries(all).map(([phase, artifact]) => fittedPhase(phase, produced(artifact)));
  let total = phases.reduce((sum, { cost }) => sum + cost, 0);
  let trimmed = false;
  for (const cut of cuts) {
    for (const [at, { phase, whole, cost }] of phases.entries()) {
      if (total <= room) break;
      const shorter = fittedPhase(phase, whole, shorten(whole, cut));
      if (shorter.cost >= cost) continue;
      phases[at] = shorter;
      total += shorter.cost - cost;
      trimmed = true;
    }
  }
  return { artifacts: Object.fromEntries(phases.map(({ phase, shown }) => [phase, shown])), trimmed };
}

/** The same for a caller that has just submitted them: if not all fits, long texts and lists are counted, and named for the newest phase. `trimmed`: no reply has room for them. */
export function fitAfterCompletion(all: SessionView["phase_artifacts"]): FittedArtifacts {
  const phases = Object.entries(all).map(([phase, artifact]) => fittedPhase(phase, produced(artifact)));
  const newest = phases.at(-1);
  const isLittle = phases.reduce((sum, { cost }) => sum + cost, 0) <= roomAfterCompletion;
  const shown = phases.map(({ phase, whole }) => {
    if (isLittle) return [phase, whole];
    return [phase, phase === newest?.phase ? named(whole) : counted(whole)];
  });
  return { artifacts: Object.fromEntries(shown), trimmed: (newest?.cost ?? 0) > room };
}

type Fitted = { readonly phase: string; readonly whole: JsonObject; readonly shown: JsonObject; readonly cost: number };

function fittedPhase(phase: string, whole: JsonObject, shown = whole): Fitted {
  return { phase, whole, shown, cost: cost(shown) };
}

/** The estimated tokens of a value. */
function cost(value: Json): number {
  return estimateTokens(JSON.stringify(value), 100_000);
}

/** The artifacts of a phase, as later phases see them. */
export function produced({ outputs, commands_executed, files }: PhaseArtifact): JsonObject {
  return {
    ...outputs,
    ...(commands_executed.length === 0 ? {} : { commands_executed }),
    ...(files.length === 0 ? {} : { files: files.map(({ path }) => path) }),
  };
}

/** The part of a long text and of a list that stays. */
export type Cut = { readonly text: number; readonly items: number };

/** Cuts the long texts and lists of a phase's artifacts. */
export function shorten(whole: JsonObject, cut: Cut): JsonObject {
  return Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, shortened(value, cut)]));
}

/** Leaves out long texts and lists, and counts them. */
export function counted(whole: JsonObject): JsonObject {
  return onlyShort(whole, (long) => `${long.length} more`);
}

/** Leaves out long texts and lists, and names each with its size. */
export function named(whole: JsonObject): JsonObject {
  return onlyShort(whole, (long) => long.map(sized).join(", "));
}

type Entry = readonly [name: string, value: Json];

function onlyShort(whole: JsonObject, say: (long: readonly Entry[]) => string): JsonObject {
  const entries = Object.entries(whole);
  const long = entries.filter(([, value]) => isLong(value));
  const short = entries.filter(([, value]) => !isLong(value));
  const shown = short.map(([name, value]): Entry => [name, shortened(value, { text: 0, items: 0 })]);
  const marker = "…".repeat(Object.hasOwn(whole, "…") ? 2 : 1);
  return Object.fromEntries(long.length === 0 ? shown : [...shown, [marker, say(long)]]);
}

function isLong(value: Json): boolean {
  return typeof value === "string" ? value.length > shortText : Array.isArray(value) && value.length > 0;
}

function sized([name, value]: Entry): string {
  if (typeof value === "string") return `${name} (${value.length} characters)`;
  return Array.isArray(value) ? `${name} (${value.length})` : name;
}

function shortened(value: Json, cut: Cut): Json {
  if (typeof value === "string") return shortenedText(value, cut);
  if (Array.isArray(value)) return value.length === 0 ? value : shortenedList(value, cut);
  return isObject(value) ? shortenedObject(value, cut) : value;
}

function shortenedText(text: string, { text: length }: Cut): string {
  if (text.length <= shortText) return text;
  const start = [...text.slice(0, length * 2)].slice(0, length).join("");
  return `${start}… (${text.length} characters)`;
}

function shortenedList(list: readonly Json[], cut: Cut): Json {
  const items = list.slice(0, cut.items).map((item) => shortened(item, cut));
  const missing = list.length - items.length;
  return missing === 0 ? items : [...items, `… ${missing} more`];
}

/** Keeps what is short in an object; one with many keys is cut like a list. */
function shortenedObject(value: JsonObject, cut: Cut): JsonObject {
  const entries = Object.entries(value);
  const kept = entries.length > 20 ? entries.slice(0, cut.items) : entries;
  const shown = kept.map(([name, item]): [string, Json] => [name, shortened(item, cut)]);
  const missing = entries.length - kept.length;
  return Object.fromEntries(missing === 0 ? shown : [...shown, ["…", `${missing} more`]]);
}
