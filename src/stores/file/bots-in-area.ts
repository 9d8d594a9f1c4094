import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readPlain } from "./plain-file.ts";
import { inFolder } from "./safe-folder.ts";
import { decodeName, runsFolder } from "./stream-paths.ts";

/** The bots with a history in a project area, most recent first; without any, the bot a state file names. */
export function botsInArea(projectArea: string): string[] {
  const folder = join(projectArea, ".waymark", "journal");
  const journals = namesIn(folder).flatMap((file) => {
    const [, name] = /^(.+)\.jsonl$/.exec(file) ?? [];
    const bot = name === undefined ? undefined : decodeName(name);
    return bot === undefined ? [] : [{ bot, changed: changedAt(join(folder, file)) }];
  });
  const runs = join(folder, runsFolder);
  const inRuns = namesIn(runs).flatMap((name) => {
    const bot = decodeName(name);
    return bot === undefined ? [] : [{ bot, changed: changedAt(join(runs, name)) }];
  });
  const latest = [...journals, ...inRuns].sort((a, b) => b.changed - a.changed);
  if (latest.length > 0) return [...new Set(latest.map(({ bot }) => bot))];
  return botNamedIn(join(projectArea, "workflow_state.json"));
}

function botNamedIn(file: string): string[] {
  try {
    const [, bot] = /"current_behavior"\s*:\s*"([^".]+)\./.exec(readPlain(file).toString("utf8")) ?? [];
    return bot === undefined ? [] : [bot];
  } catch {
    return [];
  }
}

function namesIn(folder: string): string[] {
  try {
    return inFolder(folder, (at) => readdirSync(at));
  } catch {
    return [];
  }
}

function changedAt(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
