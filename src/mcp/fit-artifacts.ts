import type { Json, JsonObject } from "../workflow/json.ts";
import type { PhaseArtifact, SessionView } from "../workflow/session-view.ts";
import { guessTokens } from "./guess-tokens.ts";

/** What earlier phases produced, cut to its room in a reply. */
export type FittedArtifacts = { readonly artifacts: JsonObject; readonly trimmed: boolean };

/** At most 400 tokens of artifacts leave with a reply; the whole stands in a resource. */
const room = 380;

/** How long texts may be, in the newest phase and in the older ones: shorter at each try. */
const lengths = [
  [160, 160],
  [160, 60],
  [100, 40],
  [60, 24],
  [40, 8],
] as const;

/** Fits what every completed phase produced into a reply: whole where it fits, else long texts and lists cut, the older phases first. */
export function fitArtifacts(all: SessionView["phase_artifacts"]): FittedArtifacts {
  const whole = Object.fromEntries(Object.entries(all).map(([phase, artifact]) => [phase, merged(artifact)]));
  const last = Object.keys(whole).at(-1);
  const shorten = (newest: number, older: number): JsonObject =>
    Object.fromEntries(
      Object.entries(whole).map(([phase, value]) => [phase, cut(value, phase === last ? newest : older)]),
    );
  if (cost(whole) <= room) return { artifacts: whole, trimmed: false };
  let shortest: JsonObject = {};
  for (const [newest, older] of lengths) {
    shortest = shorten(newest, older);
    if (cost(shortest) <= room) return { artifacts: shortest, trimmed: true };
  }
  const kept: Record<string, Json> = {};
  for (const [phase, value] of Object.entries(shortest).reverse()) {
    if (cost({ ...kept, [phase]: value }) > room) break;
    kept[phase] = value;
  }
  return { artifacts: kept, trimmed: true };
}

function merged({ outputs, commands_executed, files }: PhaseArtifact): JsonObject {
  return {
    ...outputs,
    ...(commands_executed.length === 0 ? {} : { commands_executed }),
    ...(files.length === 0 ? {} : { files: files.map(({ path, sha256 }) => ({ path, sha256 })) }),
  };
}

function cut(value: Json, length: number): Json {
  if (typeof value === "string") return value.length <= length ? value : `${[...value].slice(0, length).join("")}…`;
  if (Array.isArray(value)) {
    const items = value.slice(0, Math.max(1, Math.floor(length / 16))).map((item) => cut(item, length));
    return value.length > items.length ? [...items, `… ${value.length - items.length} more`] : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const shown = entries
    .slice(0, Math.max(4, Math.floor(length / 8)))
    .map(([key, item]) => [key.slice(0, 60), cut(item, length)]);
  return Object.fromEntries(
    entries.length > shown.length ? [...shown, ["…", `${entries.length - shown.length} more`]] : shown,
  );
}

/** How many tokens a value costs, as far as that matters here. */
function cost(value: Json): number {
  const text = JSON.stringify(value);
  return text.length <= room && isPlain(text) ? text.length : guessTokens(text, room);
}

/** No character of ASCII costs more than one token. */
function isPlain(text: string): boolean {
  return !/[^\p{ASCII}]/u.test(text);
}
