import { join } from "node:path";
import type { Settings } from "../engine/ports.ts";
import { isObject } from "../workflow/json.ts";
import type { Problem } from "../workflow/workflow.ts";
import { readJson } from "./json-file.ts";
import { shownIn } from "./shown.ts";

/** The settings in force, and why they may not be what the team meant. */
export type SettingsRead = { readonly settings: Settings & { readonly ordered: boolean }; readonly problem?: Problem };

/** Reads `config.json` of a definitions folder as it stands now; with a problem nobody can know what was meant. */
export function readSettings(definitions: string): SettingsRead {
  const path = join(definitions, "config.json");
  const read = readJson(path);
  if ("missing" in read) return { settings: defaults };
  const wrong = (message: string): SettingsRead => ({
    settings: defaults,
    problem: { file: shownIn(definitions, path), message },
  });
  if ("malformed" in read) return wrong(`the settings cannot be read: ${read.malformed}`);
  const { value } = read;
  if (!isObject(value)) return wrong("the settings must be a JSON object");
  const { behaviors = "any", external_edits: externalEdits = "obey", strict = false } = value;
  if (behaviors !== "ordered" && behaviors !== "any") return wrong(`behaviors must be "ordered" or "any"`);
  if (externalEdits !== "obey" && externalEdits !== "refuse") return wrong(`external_edits must be "obey" or "refuse"`);
  if (typeof strict !== "boolean") return wrong("strict must be true or false");
  return { settings: { externalEdits, ordered: behaviors === "ordered", strict } };
}

const defaults = { externalEdits: "obey", ordered: false, strict: false } as const;
