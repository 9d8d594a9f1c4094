import type { Json, JsonObject } from "../workflow/json.ts";
import type { PhaseArtifact, SessionView } from "../workflow/session-view.ts";

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

/** How many tokens a value costs, guessed rather high: there is no tokenizer at hand in a server that must start quickly. */
function cost(value: Json): number {
  const text = JSON.stringify(value);
  if (text.length <= room) return text.length;
  let tokens = 0;
  let run = 0;
  for (let at = 0; at <= text.length; at++) {
    const kind = kindOf(text.charCodeAt(at));
    const next = kindOf(text.charCodeAt(at + 1));
    run += 1;
    if (kind === next && (kind === "letter" || kind === "digit")) continue;
    if (kind === "letter") tokens += run <= 6 ? 1.1 : run / 3;
    else if (kind === "digit") tokens += Math.ceil(run / 3);
    else tokens += kind === "sign" ? 0.55 : 1.6;
    run = 0;
  }
  return tokens;
}

function kindOf(code: number): "letter" | "digit" | "sign" | "wide" {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return "letter";
  if (code >= 48 && code <= 57) return "digit";
  return code < 128 || Number.isNaN(code) ? "sign" : "wide";
}
