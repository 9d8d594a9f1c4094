import { hash } from "node:crypto";
import { join } from "node:path";
import type { Settings } from "../engine/ports.ts";
import { levels } from "../evidence/approval.ts";
import { secondsIn } from "../evidence/duration.ts";
import { isObject } from "../evidence/json.ts";
import { readJson } from "./json-file.ts";
import { type Flaw, flawIn, type Remark, unreadableIn, wrongValue } from "./problem.ts";

/** The settings in force, and why they may not be what the team meant. */
export type SettingsRead = { readonly settings: Chosen; readonly problem?: Flaw };

/** `history`: whether the runs' journals are in git. `search`: names what is set of the search, for the record. */
export type Chosen = Settings & {
  readonly ordered: boolean;
  readonly history: "local" | "committed";
  readonly search?: string;
};

/** Reads `config.json` of a definitions folder as it stands now; with a problem nobody can know what was meant. */
export function readSettings(definitions: string): SettingsRead {
  const path = join(definitions, "config.json");
  const read = readJson(path);
  if ("missing" in read) return { settings: defaults };
  const wrong = (remark: Remark): SettingsRead => ({
    settings: defaults,
    problem: flawIn(definitions, path, remark),
  });
  if ("malformed" in read) {
    const message = `the settings cannot be read: ${read.malformed}`;
    return { settings: defaults, problem: unreadableIn(definitions, path, read.trouble, message) };
  }
  const { value } = read;
  if (!isObject(value)) return wrong(notAnObject);
  const {
    behaviors = "any",
    external_edits: externalEdits = "obey",
    strict = false,
    history = "local",
    checks = {},
    approvals = {},
    search,
  } = value;
  if (behaviors !== "ordered" && behaviors !== "any") return wrong(wrongValue("behaviors", `"ordered" or "any"`));
  if (externalEdits !== "obey" && externalEdits !== "refuse")
    return wrong(wrongValue("external_edits", `"obey" or "refuse"`));
  if (typeof strict !== "boolean") return wrong(wrongValue("strict", "true or false"));
  if (history !== "local" && history !== "committed") return wrong(wrongValue("history", `"local" or "committed"`));
  const wait = isObject(checks) ? checks.wait : null;
  const checksWait = wait === undefined ? undefined : secondsIn(wait);
  if (wait !== undefined && (checksWait === undefined || checksWait > longestWait))
    return wrong(wrongValue("checks", `{"wait": "20s"}, at most ${longestWait}s`));
  const { level: wanted = "relayed", ...others } = isObject(approvals) ? approvals : { level: null };
  const wordLevel = levels.find((level) => level === wanted);
  if (wordLevel === undefined || Object.keys(others).length > 0)
    return wrong(wrongValue("approvals", `{"level": "relayed"}, "elicited" or "proven"`));
  const waiting = checksWait === undefined ? {} : { checksWait };
  const least = wordLevel === "relayed" ? {} : { wordLevel };
  const searching = search === undefined ? {} : { search: hash("sha256", JSON.stringify(search)).slice(0, 12) };
  const ordered = behaviors === "ordered";
  return { settings: { externalEdits, ordered, strict, history, ...waiting, ...least, ...searching } };
}

/** Hosts give up on a call after 60 s. */
const longestWait = 45;

const notAnObject: Remark = {
  code: "wrong-type",
  message: "the settings must be a JSON object",
  fix: "Write an object: { … }.",
};
const defaults = { externalEdits: "obey", ordered: false, strict: false, history: "local" } as const;
