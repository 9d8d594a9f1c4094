import type { Json, JsonObject } from "../workflow/json.ts";
import type { PhaseArtifact, SessionView } from "../workflow/session-view.ts";

/** What earlier phases produced, cut to its room in a reply. */
export type FittedArtifacts = { readonly artifacts: JsonObject; readonly trimmed: boolean };

/** At most 400 tokens of artifacts leave with a reply; the whole stands in a resource. */
const room = 380;

/** Fits what every completed phase produced into a reply: whole where it fits, else the newest phases first, long texts and lists cut. */
export function fitArtifacts(all: SessionView["phase_artifacts"]): FittedArtifacts {
  const whole = Object.fromEntries(Object.entries(all).map(([phase, artifact]) => [phase, merged(artifact)]));
  if (cost(whole) <= room) return { artifacts: whole, trimmed: false };
  const kept: Record<string, Json> = {};
  for (const [phase, value] of Object.entries(whole).reverse()) {
    // A path cut in the middle is useless: rather one phase less.
    const fitting = [120, 60]
      .map((length) => cut(value, length))
      .find((short) => cost({ ...kept, [phase]: short }) <= room);
    if (fitting === undefined) break;
    kept[phase] = fitting;
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
    const items = value.slice(0, Math.max(2, length / 16)).map((item) => cut(item, length));
    return value.length > items.length ? [...items, `… ${value.length - items.length} more`] : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const shown = entries.slice(0, Math.max(4, length / 8)).map(([key, item]) => [key.slice(0, 60), cut(item, length)]);
  return Object.fromEntries(
    entries.length > shown.length ? [...shown, ["…", `${entries.length - shown.length} more`]] : shown,
  );
}

/** How many tokens a value costs, guessed rather high: there is no tokenizer at hand in a server that must start quickly. */
function cost(value: Json): number {
  let tokens = 0;
  for (const character of JSON.stringify(value)) {
    if (/[a-z ]/i.test(character)) tokens += 0.32;
    else if (character.length === 1 && character.charCodeAt(0) < 128) tokens += 0.62;
    else tokens += 1.6;
  }
  return tokens;
}
