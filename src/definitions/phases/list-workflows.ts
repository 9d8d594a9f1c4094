import { join } from "node:path";
import type { WorkflowListed } from "../../engine/phased-ports.ts";
import { isObject } from "../../workflow/json.ts";
import { listFolder } from "../folder.ts";
import { readJson, readText } from "../json-file.ts";
import { withoutNames } from "./reticence.ts";

/** Lists the phased workflows of a definitions folder without reading their phases: nothing of a phase is in the list. */
export function listWorkflows(definitions: string): readonly WorkflowListed[] {
  const place = join(definitions, "workflows");
  const { folders, files } = listFolder(place);
  const found = [
    ...folders.map((name) => inFolder(place, name)),
    ...files.flatMap((name) => inFile(place, name)),
  ].flatMap((one) => one ?? []);
  const byType = new Map(found.map((one) => [one.type, one]));
  return [...byType.values()].sort((a, b) => (a.type < b.type ? -1 : 1));
}

function inFolder(place: string, type: string): WorkflowListed {
  const read = readJson(join(place, type, "metadata.json"));
  const value = "value" in read && isObject(read.value) ? read.value : {};
  const names = namesOfPhases(join(place, type));
  const shown = (text: unknown): string => withoutNames(line(text), names);
  return { type, title: shown(value.title ?? value.name) || type, description: shown(value.description) };
}

/** What the phases are called, by their headings: a description that gives that away is not shown whole. */
function namesOfPhases(folder: string): string[] {
  const phases = join(folder, "phases");
  return listFolder(phases).folders.flatMap((name) => {
    const heading = /^#{1,6}\s+(.+)$/m.exec(readText(join(phases, name, "phase.md")) ?? "")?.[1];
    return heading === undefined ? [] : [heading.replace(/^phase\s+\d+\s*[:.–—-]*\s*/i, "")];
  });
}

/** A file is a workflow where it has a phase; of what stands before the first one, only the front matter is shown. */
function inFile(place: string, name: string): WorkflowListed[] {
  if (!name.endsWith(".md")) return [];
  const text = readText(join(place, name)) ?? "";
  const type = name.slice(0, -".md".length);
  if (!hasPhase.test(text)) return [];
  const [, front = ""] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text) ?? [];
  const value = (key: string): string => {
    const found = new RegExp(`^${key}:\\s*(.+)$`, "im").exec(front)?.[1] ?? "";
    return line(found.trim().replace(/^(["'])(.*)\1$/, "$2"));
  };
  return [{ type, title: value("title") || value("name") || type, description: value("description") }];
}

/** A line that begins with a phase and its number, however the heading is written; whether it is one, the reader decides. */
const hasPhase = /^[\s#*_>]*phase(?:[\s_*]|&nbsp;)*(?:\d+|zero|one|two|three|four|five|six|seven|eight|nine|ten)\b/im;

function line(value: unknown): string {
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim() : "";
}
