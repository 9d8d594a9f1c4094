import { join } from "node:path";
import { listFolder } from "../folder.ts";
import { liveFile } from "../live-file.ts";

/** What would tell of a workflow's phases before their time, found without parsing a document. */
export type TellingWords = {
  /** What the phases are called. */
  readonly phases: readonly string[];
  /** What their tasks are called. */
  readonly tasks: readonly string[];
  /** The words with an underscore that stand in a phase: its fields are among them. */
  readonly fields: ReadonlySet<string>;
};

/** The telling words of a workflow's folder: of its phases' folders, their files, and the names that its metadata lists. */
export function wordsOfFolder(folder: string, listed: readonly string[]): TellingWords {
  const phases = [...listed];
  const tasks: string[] = [];
  const fields = new Set<string>();
  const place = join(folder, "phases");
  for (const name of listFolder(place).folders) {
    tasks.push(spoken(name)); // a folder's name of one word is a common one
    for (const file of listFolder(join(place, name)).files) {
      const read = wordsIn(join(place, name, file));
      if (!("value" in read)) continue;
      const found = read.value;
      for (const field of found.fields) fields.add(field);
      if (/^phase\.md$/i.test(file)) phases.push(...found.heading, ...found.phases);
      else if (/\.md$/i.test(file)) tasks.push(spoken(file.slice(0, -".md".length)), ...found.heading);
      tasks.push(...found.tasks);
    }
  }
  return { phases, tasks, fields };
}

/** The telling words of a workflow that stands in one file. */
export function wordsOfFile(path: string): TellingWords {
  const read = wordsOfPhasesIn(path);
  return "value" in read ? read.value : { phases: [], tasks: [], fields: new Set() };
}

/** The line of a phase and its number, however the heading is written; whether it is one, the reader decides. */
export const phaseLine =
  /^[\s#*_>]*phase(?:[\s_*]|&nbsp;)*(?:\d+|zero|one|two|three|four|five|six|seven|eight|nine|ten)\b(.*)$/im;
const phaseLines = new RegExp(phaseLine.source, "gim");
const taskLines = /^[\s#*_>-]*(?:\[.\]\s*)?task[\s_*]*\d[\d.]*\b(.*)$/gim;
const headingLine = /^#{1,6}\s+(.+)$/m;

/** Only what was found is kept, not the text: a list of tools is asked for often. */
const wordsIn = liveFile(find, 1024 * 1024);
/** What stands before the first phase tells nothing: it is what everybody may read. */
const wordsOfPhasesIn = liveFile((text) => find(text.slice(phaseLine.exec(text)?.index ?? 0)), 1024 * 1024);

function find(text: string): TellingWords & { readonly heading: readonly string[] } {
  const heading = headingLine.exec(text)?.[1];
  return {
    heading: heading === undefined ? [] : [spoken(heading)],
    phases: [...text.matchAll(phaseLines)].map(([, name = ""]) => spoken(name)),
    tasks: [...text.matchAll(taskLines)].map(([, name = ""]) => spoken(name)),
    fields: new Set([...text.matchAll(/[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)+/gu)].map(([word]) => word.toLowerCase())),
  };
}

/** A name as it would be spoken: without its number, its marks and its dashes. */
function spoken(name: string): string {
  return name
    .replace(/^[\s#*_>]*(?:(?:phase|task)\b)?[\s\d.:*_–—-]*/i, "")
    .replaceAll(/[\s#*_–—-]+/g, " ")
    .trim();
}
