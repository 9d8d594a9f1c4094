import type { Json, JsonObject } from "../evidence/json.ts";
import type { SessionView } from "../words/session-view.ts";
import { guessTokens } from "./guess-tokens.ts";
import { counted, named, produced, shorten, shortText } from "./shorten-artifact.ts";

/** What earlier phases produced, cut to its room in a reply. */
export type FittedArtifacts = { readonly artifacts: JsonObject; readonly trimmed: boolean };

/** What the one that completes phases has handed in itself costs at most so much where it is not cut. */
const roomInPassing = 260;

/** Long texts and lists are cut until all artifacts cost so many tokens together. */
const room = 780;

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

/**
 * The same for the one that has just completed a phase and has what it handed in before it: where there is not room for
 * all, long texts and lists are counted, and named of the newest phase. Trimmed is what no reply has room for.
 */
export function fitInPassing(all: SessionView["phase_artifacts"]): FittedArtifacts {
  const phases = Object.entries(all).map(([phase, artifact]) => fittedPhase(phase, produced(artifact)));
  const newest = phases.at(-1);
  const isLittle = phases.reduce((sum, { cost }) => sum + cost, 0) <= roomInPassing;
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

/** How many tokens a value costs, as far as that matters here. */
function cost(value: Json): number {
  return guessTokens(JSON.stringify(value), 100_000);
}
