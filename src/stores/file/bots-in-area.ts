import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readPlain } from "./plain-file.ts";
import { inFolder } from "./safe-folder.ts";
import { decodeName, isGuestIn, runsFolder } from "./stream-paths.ts";

/** The bots whose views are in a project area: first the one that its state file names, then those with a history, most recent first. */
export function botsInArea(projectArea: string): string[] {
  const named = botNamedIn(join(projectArea, "workflow_state.json"));
  return [...new Set([...named, ...botsWithHistory(projectArea)])].filter((bot) => !isGuestIn(projectArea, bot));
}

function botsWithHistory(projectArea: string): string[] {
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
  return latest.map(({ bot }) => bot);
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
