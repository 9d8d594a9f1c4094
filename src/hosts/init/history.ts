import { existsSync } from "node:fs";
import { join } from "node:path";
import { openJson, valueAt } from "../../kit/edit-json.ts";
import type { HostFile } from "../host.ts";
import { gitFiles, type History } from "./git-files.ts";
import { readText } from "./read-text.ts";

const setting = "history";

/** The files that set where the history is kept: the settings, if someone chose, and git's files. */
export function historyFiles(root: string, chosen: History | undefined): readonly HostFile[] {
  const status = historyIn(root);
  const isSaid = chosen !== undefined && (chosen === "committed" || status !== undefined);
  const path = settingsPath(root);
  return [
    ...(isSaid
      ? [{ path, syntax: "json", parts: [{ kind: "setting", at: [setting], value: chosen, replace: true }] } as const]
      : []),
    ...gitFiles(root, chosen ?? status ?? "local").filter(
      ({ path: file, parts }) =>
        existsSync(file) || parts.some((part) => part.kind !== "block" || part.lines.length > 0),
    ),
  ];
}

/** The path of a project's settings. */
export function settingsPath(root: string): string {
  return join(root, ".waymark/config.json");
}

/** The history setting; undefined if it is missing or unknown. */
function historyIn(root: string): History | undefined {
  const read = readText(settingsPath(root));
  const open = "text" in read && read.text !== undefined ? openJson(read.text) : { problem: "it does not exist" };
  const said = "value" in open ? valueAt(open, [setting]) : undefined;
  return said === "committed" || said === "local" ? said : undefined;
}
