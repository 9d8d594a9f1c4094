import { defined } from "../../../kit/defined.ts";
import { findWrites } from "./find-writes.ts";
import { gitWrites } from "./git-writes.ts";
import { hasOption, type SortedArguments, sortArguments, valuesOf } from "./options.ts";
import { powershellWrites } from "./powershell-writes.ts";
import type { ShellWord } from "./shell-command.ts";
import { unwrap } from "./unwrap.ts";
import { copyTargets, lastPart, type WrittenPath } from "./written-path.ts";

/** The files a known program writes, and its working folder if given. */
export type ProgramWrites = { readonly folder?: ShellWord; readonly written: readonly WrittenPath[] };

/** Finds the files a program writes from its arguments; nothing for an unknown program. */
export function programWrites(name: string, args: readonly ShellWord[]): ProgramWrites {
  if (name === "git") return gitWrites(args);
  if (name === "find") return { written: findWrites(args, writtenByWords) };
  return { written: powershellWrites(name, args) ?? programs.get(name)?.(args) ?? [] };
}

function writtenByWords(words: readonly ShellWord[]): readonly WrittenPath[] {
  const { name, args } = unwrap(words);
  return programWrites(name, args).written;
}

type Program = (args: readonly ShellWord[]) => readonly WrittenPath[];

/** A program that writes all its operands. */
function writesOperands(valued = ""): Program {
  return (args) => sortArguments(args, valued).operands.map((word) => ({ word }));
}

/** A program that removes all its operands. */
function removesOperands(valued = ""): Program {
  return (args) => sortArguments(args, valued).operands.map((word) => ({ word, removed: true }));
}

/** A program that copies or moves files into a folder or to a new name. */
function copiesOperands(valued: string, more: { readonly moved?: true } = {}): Program {
  return (args) => {
    const sorted = sortArguments(args, `t target-directory ${valued}`);
    const [folder] = valuesOf(sorted, "t", "target-directory");
    return copyTargets(sorted.operands, { ...more, ...defined({ folder }) });
  };
}

/** A program that writes to the file named by an option. */
function writesToOption(pattern: RegExp, long: string): Program {
  return (args) =>
    args.flatMap(({ text, plain }, at): WrittenPath[] => {
      const next = args[at + 1];
      if (text.startsWith(`--${long}=`)) return [{ word: { text: text.slice(long.length + 3), plain } }];
      return (pattern.test(text) || text === `--${long}`) && next !== undefined && next.text !== "-"
        ? [{ word: next }]
        : [];
    });
}

/** A program such as chmod, whose first operand is the mode. */
const changesMode: Program = (args) => {
  const sorted = sortArguments(args, "reference from");
  return sorted.operands.slice(hasOption(sorted, "reference") ? 0 : 1).map((word) => ({ word }));
};

const editor = writesOperands("c u S T w W i cmd");

const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["rm", removesOperands()],
  ["rmdir", removesOperands()],
  ["unlink", removesOperands()],
  ["shred", writesOperands("n s iterations size")],
  ["touch", writesOperands("d t r date time reference")],
  ["truncate", writesOperands("s r size reference")],
  ["tee", writesOperands()],
  ["sponge", writesOperands()],
  ["chmod", changesMode],
  ["chown", changesMode],
  ["chgrp", changesMode],
  ["mkdir", (args) => sortArguments(args, "m mode").operands.map((word) => ({ word, made: true }))],
  ["mv", copiesOperands("S suffix", { moved: true })],
  ["cp", copiesOperands("S suffix")],
  ["ln", links],
  ["install", installs],
  ["rsync", synchronises],
  ["scp", (args) => local(copyTargets(sortArguments(args, "c D F i J l o P S X").operands))],
  ["sed", (args) => inPlace(args, "e f l expression file line-length", ["e", "f", "expression", "file"])],
  ["perl", (args) => inPlace(args, "e E I M m F", ["e", "E"])],
  ["dd", (args) => ending(args, "of=")],
  ["sort", (args) => valuesOf(sortArguments(args, "o k t S T output key"), "o", "output").map((word) => ({ word }))],
  ["curl", writesToOption(/^-[a-zA-Z#]*o$/, "output")],
  ["wget", writesToOption(/^-[a-zA-Z]*O$/, "output-document")],
  ["tar", unpacks],
  ["unzip", (args) => valuesOf(sortArguments(args, "d x"), "d").map((word) => ({ word }))],
  [
    "patch",
    (args) =>
      sortArguments(args, "p i d o r B Y z D F input directory output")
        .operands.slice(0, 1)
        .map((word) => ({ word })),
  ],
  ["ed", editor],
  ["ex", editor],
  ["vi", editor],
  ["vim", editor],
  ["nvim", editor],
  ["nano", writesOperands()],
  ["emacs", writesOperands("l f eval load funcall")],
]);

/** A link with one operand is created here, under the target's name. */
function links(args: readonly ShellWord[]): readonly WrittenPath[] {
  const sorted = sortArguments(args, "t S target-directory suffix");
  const [only, ...others] = sorted.operands;
  const [folder] = valuesOf(sorted, "t", "target-directory");
  if (only !== undefined && others.length === 0 && folder === undefined)
    return [{ word: { ...only, text: lastPart(only.text) } }];
  return copyTargets(sorted.operands, folder === undefined ? {} : { folder });
}

function installs(args: readonly ShellWord[]): readonly WrittenPath[] {
  const sorted = sortArguments(args, "m o g t S mode owner group target-directory suffix");
  if (hasOption(sorted, "d", "directory")) return sorted.operands.map((word) => ({ word, made: true }));
  const [folder] = valuesOf(sorted, "t", "target-directory");
  return copyTargets(sorted.operands, folder === undefined ? {} : { folder });
}

/** With a trailing slash, rsync copies the source's content into the target itself. */
function synchronises(args: readonly ShellWord[]): readonly WrittenPath[] {
  const sorted = sortArguments(
    args,
    "e f B M T rsh exclude include filter files-from exclude-from include-from chmod rsync-path port log-file bwlimit timeout max-size min-size compare-dest link-dest copy-dest backup-dir temp-dir partial-dir suffix",
  );
  if (hasOption(sorted, "n", "dry-run")) return [];
  return local(copyTargets(sorted.operands)).map((one) => {
    const isWhole = sorted.operands.slice(0, -1).some(({ text }) => text.endsWith("/"));
    return isWhole || hasOption(sorted, "delete") ? { word: one.word } : one;
  });
}

/** Ignores files on other machines. */
function local(written: readonly WrittenPath[]): readonly WrittenPath[] {
  return written.filter(({ word }) => !/^[^/]*:/.test(word.text));
}

/** The files that sed and perl change in place: the operands after the script. */
function inPlace(args: readonly ShellWord[], valued: string, scripts: readonly string[]): readonly WrittenPath[] {
  // The text after the letter i is the suffix of a backup copy.
  const cut = args.map((word) =>
    /^-[a-zA-Z0-9]*i/.test(word.text) ? { ...word, text: word.text.replace(/i.*$/s, "i") } : word,
  );
  const sorted: SortedArguments = sortArguments(cut, valued);
  if (!hasOption(sorted, "i", "in-place")) return [];
  return sorted.operands.slice(hasOption(sorted, ...scripts) ? 0 : 1).map((word) => ({ word }));
}

function ending(args: readonly ShellWord[], begin: string): readonly WrittenPath[] {
  return args.flatMap((word) =>
    word.text.startsWith(begin) ? [{ word: { ...word, text: word.text.slice(begin.length) } }] : [],
  );
}

/** The folder that tar extracts into, or the archive it creates. */
function unpacks(args: readonly ShellWord[]): readonly WrittenPath[] {
  const [first, ...rest] = args;
  const dashed =
    first !== undefined && /^[a-zA-Z]+$/.test(first.text) ? [{ ...first, text: `-${first.text}` }, ...rest] : args;
  const sorted = sortArguments(dashed, "f C T X b file directory exclude");
  if (hasOption(sorted, "x", "extract", "get")) return valuesOf(sorted, "C", "directory").map((word) => ({ word }));
  if (!hasOption(sorted, "c", "r", "u", "create", "append", "update")) return [];
  return valuesOf(sorted, "f", "file").flatMap((word) => (word.text === "-" ? [] : [{ word }]));
}
