import { patchedFiles } from "../patched-files.ts";
import { changesWaymarkFiles, shellLinesIn, waymarkNames } from "./code-writes.ts";
import { parseShell } from "./parse-shell.ts";
import { programWrites } from "./program-writes.ts";
import type { ShellPart, ShellWord, SimpleCommand } from "./shell-command.ts";
import { unwrap } from "./unwrap.ts";
import type { WrittenPath } from "./written-path.ts";

/** A path that a shell line would write to, relative to the shell's folder at that point. */
export type ShellWrite = Omit<WrittenPath, "word"> & { readonly path: string; readonly cwd: string };

/** The files a shell line would write, as far as it shows. */
export type ShellWrites = {
  readonly files: readonly ShellWrite[];
  /** True if code for another interpreter seems to change Waymark's own files. */
  readonly changesOurs: boolean;
};

/** A shell's current folder, previous folder and folder stack; unknown if a variable sets it. */
type ShellState = { cwd: string; isKnown: boolean; before: ShellFolder; stack: ShellFolder[] };
type ShellFolder = Pick<ShellState, "cwd" | "isKnown">;

/** Finds the files a shell line would write; what programs do on their own is caught later, at completion. */
export function shellWrites(line: string): ShellWrites {
  return writesIn(parseShell(line), newShellState(""), 0);
}

function newShellState(cwd: string): ShellState {
  return { cwd, isKnown: true, before: { cwd, isKnown: true }, stack: [] };
}

function writesIn(parts: readonly ShellPart[], place: ShellState, depth: number): ShellWrites {
  const found = parts.map((part) =>
    "scope" in part ? writesIn(part.scope, copyState(place), depth) : writesOf(part, place, depth),
  );
  return joinedWrites(found);
}

/** The maximum nesting of lines inside lines. */
const deepest = 8;

function writesOf(command: SimpleCommand, place: ShellState, depth: number): ShellWrites {
  const { name, args, folder } = unwrap(command.words);
  const into = command.into.filter(({ text }) => !isDevice(text)).map((word): WrittenPath => ({ word }));
  const opened: ShellWrites = { files: into.flatMap((one) => resolveWrite(one, place)), changesOurs: false };
  if (changesFolder(name, args, place)) return opened;
  const there = folder === undefined ? place : inFolder(place, folder);
  const inner = depth < deepest ? innerLines(name, args, command) : [];
  // eval runs in this shell, everything else in its own.
  const run = inner.map((line) => writesIn(parseShell(line), name === "eval" ? there : copyState(there), depth + 1));
  const { folder: own, written } = programWrites(name, args);
  const status = own === undefined ? there : inFolder(there, own);
  const patched = patches(name, args, command).map((path) => ({ path, cwd: status.cwd }));
  const codes = interpreters.test(name) ? [...args.map(({ text }) => text), command.input ?? ""] : [];
  return joinedWrites([
    opened,
    ...run,
    {
      files: [...written.flatMap((one) => resolveWrite(one, status)), ...patched],
      changesOurs: codes.some(changesWaymarkFiles),
    },
  ]);
}

function joinedWrites(all: readonly ShellWrites[]): ShellWrites {
  return { files: all.flatMap(({ files }) => files), changesOurs: all.some((one) => one.changesOurs) };
}

/** Resolves a path; one with substitutions or an unknown folder only counts if it names Waymark's own files. */
function resolveWrite({ word, ...about }: WrittenPath, { cwd, isKnown }: ShellState): readonly ShellWrite[] {
  const { text, plain } = word;
  const isSure = plain && (isKnown || /^[/~]/.test(text));
  return isSure || waymarkNames.test(text) ? [{ ...about, path: text, cwd }] : [];
}

function changesFolder(name: string, args: readonly ShellWord[], place: ShellState): boolean {
  const { cwd, isKnown, before } = place;
  if (name === "popd") Object.assign(place, place.stack.pop() ?? {}, { before: { cwd, isKnown } });
  if (name === "popd") return true;
  if (!/^(cd|chdir|pushd|set-location|sl)$/.test(name)) return false;
  const folder = args.find(({ text }) => text === "-" || !/^-./.test(text));
  if (name === "pushd") place.stack.push({ cwd, isKnown });
  if (folder?.text === "-") Object.assign(place, before, { before: { cwd, isKnown } });
  else changeFolder(place, folder ?? { text: "~", plain: true });
  return true;
}

function changeFolder(place: ShellState, { text, plain }: ShellWord): void {
  const { cwd, isKnown } = place;
  place.before = { cwd, isKnown };
  place.isKnown = plain && (isKnown || /^[/~]/.test(text));
  if (plain) place.cwd = joined(cwd, text);
}

function inFolder(place: ShellState, folder: ShellWord): ShellState {
  const there = copyState(place);
  changeFolder(there, folder);
  return there;
}

function copyState(place: ShellState): ShellState {
  return { ...place, stack: [...place.stack] };
}

/** The lines a shell is told to run: with -c, on stdin, by eval, or by other code. */
function innerLines(name: string, args: readonly ShellWord[], { input }: SimpleCommand): readonly string[] {
  if (name === "eval") return [args.map(({ text }) => text).join(" ")];
  if (interpreters.test(name)) return [...args.map(({ text }) => text), input ?? ""].flatMap(shellLinesIn);
  if (name === "trap") return args.slice(0, 1).map(({ text }) => text);
  if (!/^((ba|da|z|k|a|fi)?sh|su|pwsh|powershell)$/.test(name)) return [];
  const flag = args.findIndex(({ text }) => /^-[a-z]*c[a-z]*$|^--?command$/i.test(text));
  const line = flag === -1 ? undefined : args.slice(flag + 1).find(({ text }) => !text.startsWith("-"))?.text;
  const isScript = args.some(({ text }) => !text.startsWith("-"));
  return line !== undefined ? [line] : input !== undefined && !isScript ? [input] : [];
}

const interpreters = /^(node|deno|bun|python[\d.]*|ruby|perl|php|lua|[gm]?awk)$/;

/** The files of a patch passed as text. */
function patches(name: string, args: readonly ShellWord[], { input = "" }: SimpleCommand): readonly string[] {
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
