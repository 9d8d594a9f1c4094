import { hash } from "node:crypto";
import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { Settings } from "../../engine/ports/definitions.ts";
import type { NotifyTarget } from "../../engine/ports/notice-queue.ts";
import { approvalLevels } from "../../gates/approval-rule.ts";
import { secondsIn } from "../../kit/duration.ts";
import { isObject } from "../../kit/json.ts";
import { notifyForm, readTargets } from "../../notify/read-targets.ts";
import { readConfig } from "../files/config-file.ts";
import { type JsonProblem, type LoaderProblem, locateProblem, wrongValueProblem } from "../loader-problem.ts";

/** The settings in force, with a problem if `config.json` is invalid. */
export type LoadedSettings = { readonly settings: TeamSettings; readonly problem?: LoaderProblem };

/** `history` says if the runs' journals are in git; `search` is a hash of the search settings, for the record. */
export type TeamSettings = Settings & {
  readonly ordered: boolean;
  readonly history: "local" | "committed";
  readonly search?: string;
  /** The webhooks for notices; each needs a person's trust on this machine. */
  readonly notify?: readonly NotifyTarget[];
};

/** Reads the current `config.json` of a definitions folder; returns the defaults with a problem if it is invalid. */
export function readSettings(definitions: DefinitionSnapshot): LoadedSettings {
  const path = join(definitions.folder, "config.json");
  const read = readConfig(definitions, path, "the file of settings");
  if ("missing" in read) return { settings: defaults };
  if ("broken" in read) return { settings: defaults, problem: read.broken };
  const wrong = (remark: JsonProblem): LoadedSettings => ({
    settings: defaults,
    problem: locateProblem(definitions, path, remark),
  });
  const {
    behaviors = "any",
    external_edits: externalEdits = "obey",
    strict = false,
    history = "local",
    checks = {},
    approvals = {},
    search,
    standards = "off",
    notify,
  } = read.config;
  if (behaviors !== "ordered" && behaviors !== "any")
    return wrong(wrongValueProblem("behaviors", `"ordered" or "any"`));
  if (externalEdits !== "obey" && externalEdits !== "refuse")
    return wrong(wrongValueProblem("external_edits", `"obey" or "refuse"`));
  if (typeof strict !== "boolean") return wrong(wrongValueProblem("strict", "true or false"));
  if (history !== "local" && history !== "committed")
    return wrong(wrongValueProblem("history", `"local" or "committed"`));
  const wait = isObject(checks) ? checks.wait : null;
  const checksWait = wait === undefined ? undefined : secondsIn(wait);
  if (wait !== undefined && (checksWait === undefined || checksWait > maxWaitSeconds))
    return wrong(wrongValueProblem("checks", `{"wait": "20s"}, at most ${maxWaitSeconds}s`));
  const { level: wanted = "relayed", ...others } = isObject(approvals) ? approvals : { level: null };
  const approvalLevel = approvalLevels.find((level) => level === wanted);
  if (approvalLevel === undefined || Object.keys(others).length > 0)
    return wrong(wrongValueProblem("approvals", `{"level": "relayed"}, "elicited" or "proven"`));
  const waiting = checksWait === undefined ? {} : { checksWait };
  const least = approvalLevel === "relayed" ? {} : { approvalLevel };
  const searching = search === undefined ? {} : { search: hash("sha256", JSON.stringify(search)).slice(0, 12) };
  if (standards !== "auto" && standards !== "off") return wrong(wrongValueProblem("standards", `"auto" or "off"`));
  const naming = standards === "auto" ? { standards: "auto" as const } : {};
  const targets = notify === undefined ? undefined : readTargets(notify);
  if (notify !== undefined && targets === undefined) return wrong(wrongValueProblem("notify", notifyForm));
  const notifying = targets === undefined ? {} : { notify: targets };
  const ordered = behaviors === "ordered";
  const usual = { externalEdits, ordered, strict, history } as const;
  return { settings: { ...usual, ...waiting, ...least, ...searching, ...naming, ...notifying } };
}

/** Hosts give up on a call after 60 s. */
const maxWaitSeconds = 45;

const defaults = { externalEdits: "obey", ordered: false, strict: false, history: "local" } as const;
