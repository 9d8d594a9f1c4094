import { patchedFiles } from "../patched-files.ts";
import { splitShell, type Word } from "./split.ts";

/** One path that a line for a shell would write to. */
export type ShellWrite = {
  readonly path: string;
  readonly cwd: string;
  readonly made?: true;
  readonly removed?: true;
};

/** What a line for a shell would write, as far as it says so itself. */
export type ShellWrites = {
  /** Files that would be written, relative to where the shell is by then; `made`: only a folder; `removed`: with all that is in it. */
  readonly files: readonly ShellWrite[];
  /** Code for other interpreters that seems to write: nobody takes it apart. */
  readonly code: readonly string[];
};

/** Finds what a line for a shell would write. What a program does by itself is not seen: the completion compares the files. */
export function shellWrites(line: string): ShellWrites {
  const files: ShellWrite[] = [];
  const code: string[] = [];
  let cwd = "";
  for (const command of splitShell(line)) {
    const words = unwrapped(command.words);
    const [program, ...args] = words;
    const name = programName(program?.text ?? "");
    for (const path of paths(command.into)) if (!isDevice(path)) files.push({ path, cwd });
    const inner = innerLine(name, args);
    if (inner !== undefined) {
      const found = shellWrites(inner);
      files.push(...found.files.map((one) => ({ ...one, cwd: joined(cwd, one.cwd) })));
      code.push(...found.code);
    } else if (name === "cd" || name === "pushd") {
      const [folder] = operands(args);
      cwd = folder?.plain === true ? joined(cwd, folder.text) : cwd;
    } else if (name === "mkdir")
      files.push(...paths(operands(args)).map((path) => ({ path, cwd, made: true as const })));
    else if (takesAway(name, args))
      files.push(...paths(writtenBy(name, args)).map((path) => ({ path, cwd, removed: true as const })));
    else files.push(...paths(writtenBy(name, args)).map((path) => ({ path, cwd })));
    if (interpreters.test(name)) code.push(...args.map(({ text }) => text).filter((text) => writing.test(text)));
  }
  if (line.includes("*** Begin Patch")) files.push(...patchedFiles(line).map((path) => ({ path, cwd: "" })));
  return { files, code };
}

/** Programs that run another one. */
const wrappers =
  /^(sudo|doas|env|nice|nohup|time|command|builtin|exec|xargs|stdbuf|setsid|busybox|then|do|else|if|while|until|not)$/;

function unwrapped(words: readonly Word[]): readonly Word[] {
  let at = 0;
  while (at < words.length) {
    const text = words[at]?.text ?? "";
    const isSetting = /^\w+=/.test(text);
    const isWrapper = wrappers.test(programName(text));
    if (!isSetting && !isWrapper && !(at > 0 && text.startsWith("-"))) break;
    at++;
  }
  return words.slice(at);
}

/** What a shell is told to run with -c, or an evaluated text. */
function innerLine(name: string, args: readonly Word[]): string | undefined {
  if (name === "eval") return args.map(({ text }) => text).join(" ");
  if (!/^(ba|da|z|k|a)?sh$/.test(name)) return undefined;
  const flag = args.findIndex(({ text }) => /^-\w*c$/.test(text));
  return flag === -1 ? undefined : args[flag + 1]?.text;
}

const interpreters = /^(node|deno|bun|python[\d.]*|ruby|perl|php|lua)$/;
const writing =
  /write|append|unlink|remove|rename|truncate|copy|rmtree|rmSync|mkdir|open\s*\(|>\s*['"]|syswrite|File\.|fopen|shutil/i;

/** Whether a program takes a folder away with everything in it. */
function takesAway(name: string, args: readonly Word[]): boolean {
  if (name === "git") return /^(clean|stash)$/.test(operands(args)[0]?.text ?? "");
  return ["rm", "rmdir", "mv", "find", "remove-item", "move-item"].includes(name);
}

/** The words that a known program writes, removes or moves. */
function writtenBy(name: string, args: readonly Word[]): readonly Word[] {
  const flags = args.map(({ text }) => text);
  const given = operands(args);
  switch (name) {
    case "rm":
    case "rmdir":
    case "unlink":
    case "shred":
    case "touch":
    case "truncate":
    case "tee":
    case "mv":
    case "ed":
    case "ex":
    case "vi":
    case "vim":
    case "nano":
    case "emacs":
    case "set-content":
    case "add-content":
    case "out-file":
    case "remove-item":
    case "move-item":
    case "new-item":
    case "clear-content":
      return given;
    case "chmod":
    case "chown":
    case "chgrp":
      return given.slice(1);
    case "cp":
    case "install":
    case "ln":
    case "rsync":
    case "copy-item":
      return given.length > 1 ? given.slice(-1) : given;
    case "sed":
    case "perl":
      return flags.some((flag) => /^-[a-zA-Z]*i|^--in-place/.test(flag)) ? scripted(args) : [];
    case "dd":
      return args.filter(({ text }) => text.startsWith("of=")).map((word) => ({ ...word, text: word.text.slice(3) }));
    case "git":
      return gitWrites(given, flags);
    case "find":
      return flags.some((flag) => /^-(delete|exec|execdir|ok)$/.test(flag)) &&
        /\b(rm|mv|sed|tee|truncate)\b|-delete/.test(flags.join(" "))
        ? given.slice(0, 1)
        : [];
    default:
      return [];
  }
}

/** What git changes of the work tree; cleaning and stashing take away what git ignores only where they are told to. */
function gitWrites(given: readonly Word[], flags: readonly string[]): readonly Word[] {
  const command = given[0]?.text ?? "";
  if (/^(rm|mv|checkout|restore)$/.test(command)) return gitPaths(given, flags);
  const isAll = command === "clean" ? /^-\w*x/i : command === "stash" ? /^(-\w*a|--all$)/ : undefined;
  const isDry = flags.some((flag) => /^(-\w*n\w*|--dry-run)$/.test(flag));
  if (isAll === undefined || isDry) return [];
  const paths = command === "clean" ? given.slice(1) : [];
  if (!flags.some((flag) => isAll.test(flag))) return paths;
  return paths.length > 0 ? paths : [{ text: ".", plain: true }];
}

/** Of a checkout only what stands behind the two dashes is surely a file. */
function gitPaths(given: readonly Word[], flags: readonly string[]): readonly Word[] {
  if (given[0]?.text !== "checkout") return given.slice(1);
  const dashes = flags.indexOf("--");
  return dashes === -1 ? [] : given.slice(-(flags.length - dashes - 1));
}

/** The files of sed and perl: what comes after their script, which is the first word, or follows a flag. */
function scripted(args: readonly Word[]): readonly Word[] {
  const isScript = (index: number): boolean => /^-(?!i)\w*[ef]$|^--(?:expression|file)$/.test(args[index]?.text ?? "");
  const hasFlag = args.some(({ text }, index) => isScript(index) || /^--(?:expression|file)=/.test(text));
  const files = operands(args.filter((_, index) => index === 0 || !isScript(index - 1)));
  return hasFlag ? files : files.slice(1);
}

function operands(args: readonly Word[]): readonly Word[] {
  return args.filter(({ text }) => text !== "" && !text.startsWith("-"));
}

/** A word with signs that the shell fills in says at least where it begins. */
function paths(words: readonly Word[]): readonly string[] {
  return words.flatMap(({ text, plain }) =>
    plain || /[.]waymark|workflow_state|activity_log/.test(text) ? [text] : [],
  );
}

function programName(text: string): string {
  return (text.split(/[\\/]/).at(-1) ?? "").replace(/\.(exe|cmd)$/i, "").toLowerCase();
}

function isDevice(path: string): boolean {
  return /^(\/dev\/(?!shm\/)|nul$)/i.test(path);
}

function joined(cwd: string, folder: string): string {
  return cwd === "" || folder.startsWith("/") ? folder : folder === "" ? cwd : `${cwd}/${folder}`;
}
