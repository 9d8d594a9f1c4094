import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HostFile } from "../hosts/host.ts";
import { openJson } from "./edit/json-text.ts";
import { gitFiles, type History } from "./git-files.ts";
import { readText } from "./read-text.ts";

const setting = "history";

/** The files that say where the history is kept: the settings, where somebody chose, and what git is told. */
export function historyFiles(root: string, chosen: History | undefined): readonly HostFile[] {
  const standing = historyIn(root);
  const isSaid = chosen !== undefined && (chosen === "committed" || standing !== undefined);
  const path = settingsPath(root);
  return [
    ...(isSaid
      ? [{ path, syntax: "json", parts: [{ kind: "setting", at: [setting], value: chosen, replace: true }] } as const]
      : []),
    ...gitFiles(root, chosen ?? standing ?? "local").filter(
      ({ path: file, parts }) =>
        existsSync(file) || parts.some((part) => part.kind !== "block" || part.lines.length > 0),
    ),
  ];
}

/** Where a project's settings stand. */
export function settingsPath(root: string): string {
  return join(root, ".waymark/config.json");
}

/** What the settings say; nothing where they do not, or say what is not known. */
function historyIn(root: string): History | undefined {
  const read = readText(settingsPath(root));
  const open = "text" in read && read.text !== undefined ? openJson(read.text) : { problem: "there is none" };
  const said = "value" in open ? open.value[setting] : undefined;
  return said === "committed" || said === "local" ? said : undefined;
}
