import { patchedFiles } from "../patched-files.ts";
import { changesOurs, linesIn, ownNames } from "./code.ts";
import { type Part, parseShell, type SimpleCommand, type Word } from "./parse.ts";
import { programWrites } from "./programs.ts";
import { unwrap } from "./unwrap.ts";
import type { Written } from "./written.ts";

/** One path that a line for a shell would write to, relative to where the shell is by then. */
export type ShellWrite = Omit<Written, "word"> & { readonly path: string; readonly cwd: string };

/** What a line for a shell would write, as far as it says so itself. */
export type ShellWrites = {
  readonly files: readonly ShellWrite[];
  /** Code for another interpreter that it runs seems to change Waymark's own files: nobody takes it apart. */
  readonly changesOurs: boolean;
};

/** Where a shell stands, where it stood before, and the folders that it will go back to; unknown where a variable says it. */
type Place = { cwd: string; isKnown: boolean; before: Standing; stack: Standing[] };
type Standing = Pick<Place, "cwd" | "isKnown">;

/** Finds what a line for a shell would write. What a program does by itself is not seen: the completion compares the files. */
export function shellWrites(line: string): ShellWrites {
  return writesIn(parseShell(line), newPlace(""), 0);
}

function newPlace(cwd: string): Place {
  return { cwd, isKnown: true, before: { cwd, isKnown: true }, stack: [] };
}

function writesIn(parts: readonly Part[], place: Place, depth: number): ShellWrites {
  const found = parts.map((part) =>
    "scope" in part ? writesIn(part.scope, copied(place), depth) : writesOf(part, place, depth),
  );
  return joinedWrites(found);
}

/** How often a line may hold another one. */
const deepest = 8;

function writesOf(command: SimpleCommand, place: Place, depth: number): ShellWrites {
  const { name, args, folder } = unwrap(command.words);
  const into = command.into.filter(({ text }) => !isDevice(text)).map((word): Written => ({ word }));
  const opened: ShellWrites = { files: into.flatMap((one) => located(one, place)), changesOurs: false };
  if (goesElsewhere(name, args, place)) return opened;
  const there = folder === undefined ? place : entered(place, folder);
  const inner = depth < deepest ? innerLines(name, args, command) : [];
  // What is evaluated is run by this shell itself, anything else by one of its own.
  const run = inner.map((line) => writesIn(parseShell(line), name === "eval" ? there : copied(there), depth + 1));
  const { folder: own, written } = programWrites(name, args);
  const standing = own === undefined ? there : entered(there, own);
  const patched = patches(name, args, command).map((path) => ({ path, cwd: standing.cwd }));
  const codes = interpreters.test(name) ? [...args.map(({ text }) => text), command.input ?? ""] : [];
  return joinedWrites([
    opened,
    ...run,
    { files: [...written.flatMap((one) => located(one, standing)), ...patched], changesOurs: codes.some(changesOurs) },
  ]);
}

function joinedWrites(all: readonly ShellWrites[]): ShellWrites {
  return { files: all.flatMap(({ files }) => files), changesOurs: all.some((one) => one.changesOurs) };
}

/** A word that the shell fills in, or that is said from who knows where, still says whether it names what is Waymark's own. */
function located({ word, ...about }: Written, { cwd, isKnown }: Place): readonly ShellWrite[] {
  const { text, plain } = word;
  const isSure = plain && (isKnown || /^[/~]/.test(text));
  return isSure || ownNames.test(text) ? [{ ...about, path: text, cwd }] : [];
}

function goesElsewhere(name: string, args: readonly Word[], place: Place): boolean {
  const { cwd, isKnown, before } = place;
  if (name === "popd") Object.assign(place, place.stack.pop() ?? {}, { before: { cwd, isKnown } });
  if (name === "popd") return true;
  if (!/^(cd|chdir|pushd|set-location|sl)$/.test(name)) return false;
  const folder = args.find(({ text }) => text === "-" || !/^-./.test(text));
  if (name === "pushd") place.stack.push({ cwd, isKnown });
  if (folder?.text === "-") Object.assign(place, before, { before: { cwd, isKnown } });
  else go(place, folder ?? { text: "~", plain: true });
  return true;
}

function go(place: Place, { text, plain }: Word): void {
  const { cwd, isKnown } = place;
  place.before = { cwd, isKnown };
  place.isKnown = plain && (isKnown || /^[/~]/.test(text));
  if (plain) place.cwd = joined(cwd, text);
}

function entered(place: Place, folder: Word): Place {
  const there = copied(place);
  go(there, folder);
  return there;
}

function copied(place: Place): Place {
  return { ...place, stack: [...place.stack] };
}

/** What a shell is told to run: with -c, as its input, or as a text to evaluate; or what other code has a shell run. */
function innerLines(name: string, args: readonly Word[], { input }: SimpleCommand): readonly string[] {
  if (name === "eval") return [args.map(({ text }) => text).join(" ")];
  if (interpreters.test(name)) return [...args.map(({ text }) => text), input ?? ""].flatMap(linesIn);
  if (name === "trap") return args.slice(0, 1).map(({ text }) => text);
  if (!/^((ba|da|z|k|a|fi)?sh|su|pwsh|powershell)$/.test(name)) return [];
  const flag = args.findIndex(({ text }) => /^-[a-z]*c[a-z]*$|^--?command$/i.test(text));
  const line = flag === -1 ? undefined : args.slice(flag + 1).find(({ text }) => !text.startsWith("-"))?.text;
  const isScript = args.some(({ text }) => !text.startsWith("-"));
  return line !== undefined ? [line] : input !== undefined && !isScript ? [input] : [];
}

const interpreters = /^(node|deno|bun|python[\d.]*|ruby|perl|php|lua|[gm]?awk)$/;

/** The files of a patch that is handed over as it is. */
function patches(name: string, args: readonly Word[], { input = "" }: SimpleCommand): readonly string[] {
  const isGit = name === "git" && args.some(({ text }) => text === "apply");
  if (!/^(apply_?patch|patch)$/.test(name) && !isGit) return [];
  const said = args.map(({ text }) => text).filter((text) => text.includes("*** Begin Patch"));
  return patchedFiles([input, ...said].join("\n"));
}

function isDevice(path: string): boolean {
  return /^(\/dev\/(?!shm\/)|nul$)/i.test(path);
}

function joined(cwd: string, folder: string): string {
  if (cwd === "" || /^[/~]/.test(folder)) return folder;
  return folder === "" ? cwd : `${cwd}/${folder}`;
}
