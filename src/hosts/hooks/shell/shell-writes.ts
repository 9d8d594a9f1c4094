import { patchedFiles } from "../patched-files.ts";
import { type ShellCommand, type ShellWord, shellCommands } from "./shell-commands.ts";

/** A path that a shell line would write to, relative to the shell's folder at that point. */
export type ShellWrite = {
  readonly path: string;
  readonly cwd: string;
  /** Only a folder is created. */
  readonly made?: true;
  /** It is removed with its content. */
  readonly removed?: true;
  /** If it is a folder, only these names in it are written. */
  readonly names?: readonly string[];
};

type Written = Omit<ShellWrite, "path" | "cwd"> & { readonly word: ShellWord };
type Folder = { readonly path: string; readonly isKnown: boolean };

/** Finds the files that a shell line says it writes; what it does not say is found when the step completes. */
export function shellWrites(line: string, start: Folder = { path: "", isKnown: true }, linesInside = 4): ShellWrite[] {
  const folders = [start];
  return shellCommands(line).flatMap((command) => {
    const depth = Math.max(command.depth, 0);
    while (folders.length <= depth) folders.push(folders.at(-1) ?? start);
    folders.length = depth + 1;
    const folder = folders[depth] ?? start;
    const { name, args } = programOf(command.words);
    if (/^(cd|pushd|popd)$/.test(name)) {
      const isCertain = name !== "popd" && args[0]?.text !== "-" && command.words[0]?.text === name;
      if (!command.isPiped) folders[depth] = folderAfter(folder, args[0], isCertain);
      return [];
    }
    const written = [...command.into.map((word) => ({ word })), ...writtenByCode(name, args, command)];
    const patches = /patch|apply/.test(`${name} ${args[0]?.text}`) ? patchedFiles(command.input) : [];
    const inner = linesInside > 0 ? innerLines(name, args, command) : [];
    return [
      ...[...written, ...writtenBy(name, args)].flatMap((one) => resolved(one, folder)),
      ...patches.map((path) => ({ path, cwd: folder.path })),
      ...inner.flatMap((one) => shellWrites(one, folder, linesInside - 1)),
    ];
  });
}

const wrappers =
  /^(sudo|doas|env|nice|nohup|setsid|time|timeout|stdbuf|command|builtin|exec|xargs|do|then|else|if|while|\{|!|\w+=.*)$/;
const shells = /^(ba|da|z|k)?sh$/;

/** The program a command runs, behind variable assignments, keywords and wrappers with their options. */
function programOf(words: readonly ShellWord[]): { readonly name: string; readonly args: readonly ShellWord[] } {
  const names = words.map(({ text }) => text.split("/").at(-1) ?? "");
  const isProgram = (name: string): boolean => programs.has(name) || shells.test(name) || name === "git";
  const known = wrappers.test(names[0] ?? "") ? names.findIndex(isProgram) : 0;
  const at = known === -1 ? names.findIndex((name) => !wrappers.test(name) && !name.startsWith("-")) : known;
  return { name: names[at] ?? "", args: at === -1 ? [] : words.slice(at + 1) };
}

/** The programs that write their operands, how, and the letters of their options that take a value. */
const programs: ReadonlyMap<string, { readonly does: string; readonly valued?: string }> = new Map([
  ["rm", { does: "removes" }],
  ["mkdir", { does: "makes", valued: "m" }],
  ["mv", { does: "moves", valued: "S" }],
  ["cp", { does: "copies", valued: "S" }],
  ["ln", { does: "copies", valued: "S" }],
  ["touch", { does: "writes", valued: "dtr" }],
  ["tee", { does: "writes" }],
  ["sed", { does: "edits", valued: "ef" }],
  ["perl", { does: "edits", valued: "e" }],
]);

/** The files that a program's operands name. */
function writtenBy(program: string, given: readonly ShellWord[]): readonly Written[] {
  const [name, args] = program === "git" ? gitProgram(given) : [program, given];
  const { does = "", valued = "" } = programs.get(name) ?? {};
  const takesNext = (option = ""): boolean => /^-[^-]/.test(option) && valued.includes(option.slice(-1));
  const operands = args.filter(({ text }, at) => !/^-./.test(text) && !takesNext(args[at - 1]?.text));
  const [target, sources] = [operands.at(-1), operands.slice(0, -1)];
  if (does === "removes") return operands.map((word) => ({ word, removed: true }));
  if (does === "makes") return operands.map((word) => ({ word, made: true }));
  if (does === "writes") return operands.map((word) => ({ word }));
  if (does === "edits") {
    const isInPlace = args.some(({ text }) => /^-(?:-in-place|[a-zA-Z0-9]*i)/.test(text));
    const hasScript = args.some(({ text }) => takesNext(text));
    return isInPlace ? operands.slice(hasScript ? 0 : 1).map((word) => ({ word })) : [];
  }
  if (does === "" || target === undefined || sources.length === 0) return [];
  const removed = does === "moves" ? sources.map((word): Written => ({ word, removed: true })) : [];
  return [...removed, { word: target, names: sources.map(({ text }) => /[^/]*(?=\/*$)/.exec(text)?.[0] ?? "") }];
}

/** The program that would change the same files as a git command. */
function gitProgram([command, ...args]: readonly ShellWord[]): readonly [string, readonly ShellWord[]] {
  const texts = args.map(({ text }) => text);
  if (texts.some((text) => /^--(?:cached|staged)$/.test(text))) return ["", []];
  const dashes = texts.indexOf("--");
  switch (command?.text) {
    case "rm":
    case "mv":
      return [command.text, args];
    case "restore":
      return ["tee", args.filter((_, at) => !/^(?:-s|--source)$/.test(texts[at - 1] ?? ""))];
    case "checkout": // without `--`, only a word that cannot be a branch is certainly a file
      return ["tee", dashes === -1 ? args.filter(({ text }) => /^\.{1,2}(?:\/|$)/.test(text)) : args.slice(dashes + 1)];
    default:
      return ["", []];
  }
}

const ours = /\.waymark|workflow_state\.json|activity_log\.json/i;
const codeWrites =
  /\b(?:(?:write|append|unlink|rm|remove|rename|truncate|copy)\w*\s*\(\s*['"`]([^'"`]*)|open\w*\s*\(\s*['"`]([^'"`]*)['"`]\s*,\s*(?:mode\s*=\s*)?['"][wax])/gi;

/** The files of Waymark's own that code for another interpreter says it writes. */
function writtenByCode(name: string, args: readonly ShellWord[], { input }: ShellCommand): readonly Written[] {
  if (!/^(node|deno|bun|python[\d.]*|ruby|perl|php)$/.test(name)) return [];
  const found = [...args.map(({ text }) => text), input].flatMap((code) => [...code.matchAll(codeWrites)]);
  const paths = found.map(([, direct, opened]) => direct ?? opened ?? "");
  return paths.filter((text) => ours.test(text)).map((text) => ({ word: { text, isPlain: true } }));
}

/** The lines that a shell is told to run: with -c, on its input, or by eval. */
function innerLines(name: string, args: readonly ShellWord[], { input }: ShellCommand): readonly string[] {
  if (name === "eval") return [args.map(({ text }) => text).join(" ")];
  if (!shells.test(name)) return [];
  const flag = args.findIndex(({ text }) => /^-[a-z]*c[a-z]*$/.test(text));
  const line = args.slice(flag + 1).find(({ text }) => !text.startsWith("-"))?.text;
  return flag === -1 ? [input] : line === undefined ? [] : [line];
}

/** A path with substitutions or in an unknown folder counts only if it names Waymark's own files. */
function resolved({ word: { text, isPlain }, ...about }: Written, folder: Folder): readonly ShellWrite[] {
  if (/^(?:\/dev\/(?!shm\/)|nul$)/i.test(text)) return [];
  const isSure = (isPlain && (folder.isKnown || /^[/~]/.test(text))) || ours.test(text);
  return isSure ? [{ ...about, path: text, cwd: folder.path }] : [];
}

function folderAfter(folder: Folder, to: ShellWord = { text: "~", isPlain: true }, isCertain: boolean): Folder {
  if (!isCertain || !to.isPlain) return { path: "", isKnown: false };
  if (/^[/~]/.test(to.text)) return { path: to.text, isKnown: true };
  return { path: folder.path === "" ? to.text : `${folder.path}/${to.text}`, isKnown: folder.isKnown };
}
