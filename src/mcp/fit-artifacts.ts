import type { Json, JsonObject } from "../evidence/json.ts";
import { isObject } from "../evidence/json.ts";
import type { PhaseArtifact, SessionView } from "../words/session-view.ts";
import { guessTokens } from "./guess-tokens.ts";

/** What earlier phases produced, cut to its room in a reply. */
export type FittedArtifacts = { readonly artifacts: JsonObject; readonly trimmed: boolean };

/** Long texts and lists are cut until all artifacts cost so many tokens together. */
const room = 780;

/** Numbers, booleans and texts up to this length always stay. */
const shortText = 120;

/** How much of a long text and of a list stays, at each try. */
const cuts = [
  { text: shortText, items: 8 },
  { text: 40, items: 2 },
  { text: 0, items: 0 },
] as const;

/** Fits what every completed phase produced into a reply: none is left out, nor anything short; long texts and lists are cut, the oldest first. */
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

/** What a phase produced, as later phases see it. */
function produced({ outputs, commands_executed, files }: PhaseArtifact): JsonObject {
  return {
    ...outputs,
    ...(commands_executed.length === 0 ? {} : { commands_executed }),
    ...(files.length === 0 ? {} : { files: files.map(({ path }) => path) }),
  };
}

type Fitted = { readonly phase: string; readonly whole: JsonObject; readonly shown: JsonObject; readonly cost: number };

function fittedPhase(phase: string, whole: JsonObject, shown = whole): Fitted {
  return { phase, whole, shown, cost: cost(shown) };
}

type Cut = (typeof cuts)[number];

function shorten(whole: JsonObject, cut: Cut): JsonObject {
  return Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, shortened(value, cut)]));
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

/** An object keeps what is short in it; one of many keys is a list by another name. */
function shortenedObject(value: JsonObject, cut: Cut): JsonObject {
  const entries = Object.entries(value);
  const kept = entries.length > 20 ? entries.slice(0, cut.items) : entries;
  const shown = kept.map(([name, item]): [string, Json] => [name, shortened(item, cut)]);
  const missing = entries.length - kept.length;
  return Object.fromEntries(missing === 0 ? shown : [...shown, ["…", `${missing} more`]]);
}

/** How many tokens a value costs, as far as that matters here. */
function cost(value: Json): number {
  return guessTokens(JSON.stringify(value), 100_000);
}
