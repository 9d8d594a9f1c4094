import type { Json, JsonObject } from "../kit/json.ts";
import type { SessionView } from "../workflow/session-view.ts";
import { estimateTokens } from "./reply-tokens.ts";
import { counted, named, produced, shorten, shortText } from "./shorten-artifact.ts";

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
