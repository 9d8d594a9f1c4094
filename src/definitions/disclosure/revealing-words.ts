import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { phaseTitle } from "../phases/markdown/phase-headings.ts";
import { listFolder } from "../snapshot/list-folder.ts";
import { readTextFile } from "../snapshot/read-text-file.ts";

/** Words that would reveal a workflow's phases too early, found without parsing a document. */
export type RevealingWords = {
  /** The names of the phases. */
  readonly phases: readonly string[];
  /** The names of their tasks. */
  readonly tasks: readonly string[];
  /** Words with an underscore inside phases, which include all fields. */
  readonly fields: ReadonlySet<string>;
};

/** The revealing words of a workflow's folder: from its phase folders, their files and its metadata. */
export function revealingWordsInFolder(
  definitions: DefinitionSnapshot,
  folder: string,
  listed: readonly string[],
): RevealingWords {
  const phases = [...listed];
  const tasks: string[] = [];
  const fields = new Set<string>();
  const place = join(folder, "phases");
  for (const name of listFolder(definitions, place).folders) {
    tasks.push(spokenName(name)); // a single word is too common to reveal anything
    for (const file of listFolder(definitions, join(place, name)).files) {
      const read = readTextFile(definitions, join(place, name, file), mostBytes);
      if (!("value" in read)) continue;
      const found = find(read.value);
      for (const field of found.fields) fields.add(field);
      if (/^phase\.md$/i.test(file)) phases.push(...found.heading, ...found.phases);
      else if (/\.md$/i.test(file)) tasks.push(spokenName(file.slice(0, -".md".length)), ...found.heading);
      tasks.push(...found.tasks);
    }
  }
  return { phases, tasks, fields };
}

/** The revealing words of a one-file workflow. */
export function revealingWordsInFile(definitions: DefinitionSnapshot, path: string): RevealingWords {
  const read = readTextFile(definitions, path, mostBytes);
  const text = "value" in read ? read.value : "";
  const headings = phaseHeadings(text);
  const starts = [phaseLine.exec(text)?.index, headings[0]?.at].flatMap((at) => at ?? []);
  if (starts.length === 0) return noWords; // the page is one phase, which is open from the start
  const found = find(text.slice(Math.min(...starts))); // everyone may read what is before the first phase
  return { ...found, phases: [...found.phases, ...headings.map(({ name }) => name)] };
}

const noWords: RevealingWords = { phases: [], tasks: [], fields: new Set() };

/** The headings that the reader may take for phases: `## Step 2: Name`, `## 2. Name`. */
function phaseHeadings(text: string): readonly { readonly at: number; readonly name: string }[] {
  return [...text.matchAll(/^ {0,3}#{1,6}[ \t]+(.+)$/gm)].flatMap(({ index, 1: heading = "" }) => {
    const title = phaseTitle(heading);
    return title === undefined ? [] : [{ at: index, name: spokenName(title.name) }];
  });
}

/** Matches a phase line with its number in any spelling; the reader decides if it is a phase. */
const phaseLine =
  /^[\s#*_>]*phase(?:[\s_*]|&nbsp;)*(?:\d+|zero|one|two|three|four|five|six|seven|eight|nine|ten)\b(.*)$/im;
const phaseLines = new RegExp(phaseLine.source, "gim");
const taskLines = /^[\s#*_>-]*(?:\[.\]\s*)?task[\s_*]*\d[\d.]*\b(.*)$/gim;
const headingLine = /^#{1,6}\s+(.+)$/m;

const mostBytes = 1024 * 1024;

function find(text: string): RevealingWords & { readonly heading: readonly string[] } {
  const heading = headingLine.exec(text)?.[1];
  return {
    heading: heading === undefined ? [] : [spokenName(heading)],
    phases: [...text.matchAll(phaseLines)].map(([, name = ""]) => spokenName(name)),
    tasks: [...text.matchAll(taskLines)].map(([, name = ""]) => spokenName(name)),
    fields: new Set([...text.matchAll(/[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)+/gu)].map(([word]) => word.toLowerCase())),
  };
}

/** A name as spoken: without its number, marks and dashes. */
function spokenName(name: string): string {
  return name
    .replace(/^[\s#*_>]*(?:(?:phase|task)\b)?[\s\d.:*_–—-]*/i, "")
    .replaceAll(/[\s#*_–—-]+/g, " ")
    .trim();
}
