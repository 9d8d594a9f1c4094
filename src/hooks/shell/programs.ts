import { findWrites } from "./find.ts";
import { gitWrites } from "./git.ts";
import { hasOption, type Sorted, sortWords, valuesOf } from "./options.ts";
import type { Word } from "./parse.ts";
import { powershellWrites } from "./powershell.ts";
import { unwrap } from "./unwrap.ts";
import { broughtInto, lastPart, type Written } from "./written.ts";

/** What a known program writes, and the folder that it is told to stand in. */
export type ProgramWrites = { readonly folder?: Word; readonly written: readonly Written[] };

/** Finds what a program writes by the words that it is called with; of an unknown one nobody can tell. */
export function programWrites(name: string, args: readonly Word[]): ProgramWrites {
  if (name === "git") return gitWrites(args);
  if (name === "find") return { written: findWrites(args, writtenByWords) };
  return { written: powershellWrites(name, args) ?? programs.get(name)?.(args) ?? [] };
}

function writtenByWords(words: readonly Word[]): readonly Written[] {
  const { name, args } = unwrap(words);
  return programWrites(name, args).written;
}

type Program = (args: readonly Word[]) => readonly Written[];

/** A program that writes all that it is called on. */
function all(valued = ""): Program {
  return (args) => sortWords(args, valued).operands.map((word) => ({ word }));
}

/** A program that takes away all that it is called on. */
function gone(valued = ""): Program {
  return (args) => sortWords(args, valued).operands.map((word) => ({ word, removed: true }));
}

/** A program that brings files into a folder, or makes one of another. */
function brings(valued: string, more: { readonly moved?: true } = {}): Program {
  return (args) => {
    const sorted = sortWords(args, `t target-directory ${valued}`);
    const [folder] = valuesOf(sorted, "t", "target-directory");
    return broughtInto(sorted.operands, { ...more, ...(folder === undefined ? {} : { folder }) });
  };
}

/** A program that writes to what one of its options names. */
function named(pattern: RegExp, long: string): Program {
  return (args) =>
    args.flatMap(({ text, plain }, at): Written[] => {
      const next = args[at + 1];
      if (text.startsWith(`--${long}=`)) return [{ word: { text: text.slice(long.length + 3), plain } }];
      return (pattern.test(text) || text === `--${long}`) && next !== undefined && next.text !== "-"
        ? [{ word: next }]
        : [];
    });
}

/** A program that changes what belongs to whom, or who may: its first word says how. */
const changesMode: Program = (args) => {
  const sorted = sortWords(args, "reference from");
  return sorted.operands.slice(hasOption(sorted, "reference") ? 0 : 1).map((word) => ({ word }));
};

const editor = all("c u S T w W i cmd");

const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["rm", gone()],
  ["rmdir", gone()],
  ["unlink", gone()],
  ["shred", all("n s iterations size")],
  ["touch", all("d t r date time reference")],
  ["truncate", all("s r size reference")],
  ["tee", all()],
  ["sponge", all()],
  ["chmod", changesMode],
  ["chown", changesMode],
  ["chgrp", changesMode],
  ["mkdir", (args) => sortWords(args, "m mode").operands.map((word) => ({ word, made: true }))],
  ["mv", brings("S suffix", { moved: true })],
  ["cp", brings("S suffix")],
  ["ln", links],
  ["install", installs],
  ["rsync", synchronises],
  ["scp", (args) => local(broughtInto(sortWords(args, "c D F i J l o P S X").operands))],
  ["sed", (args) => inPlace(args, "e f l expression file line-length", ["e", "f", "expression", "file"])],
  ["perl", (args) => inPlace(args, "e E I M m F", ["e", "E"])],
  ["dd", (args) => ending(args, "of=")],
  ["sort", (args) => valuesOf(sortWords(args, "o k t S T output key"), "o", "output").map((word) => ({ word }))],
  ["curl", named(/^-[a-zA-Z#]*o$/, "output")],
  ["wget", named(/^-[a-zA-Z]*O$/, "output-document")],
  ["tar", unpacks],
  ["unzip", (args) => valuesOf(sortWords(args, "d x"), "d").map((word) => ({ word }))],
  [
    "patch",
    (args) =>
      sortWords(args, "p i d o r B Y z D F input directory output")
        .operands.slice(0, 1)
        .map((word) => ({ word })),
  ],
  ["ed", editor],
  ["ex", editor],
  ["vi", editor],
  ["vim", editor],
  ["nvim", editor],
  ["nano", all()],
  ["emacs", all("l f eval load funcall")],
]);

/** A link to one thing stands here, by its name. */
function links(args: readonly Word[]): readonly Written[] {
  const sorted = sortWords(args, "t S target-directory suffix");
  const [only, ...others] = sorted.operands;
  const [folder] = valuesOf(sorted, "t", "target-directory");
  if (only !== undefined && others.length === 0 && folder === undefined)
    return [{ word: { ...only, text: lastPart(only.text) } }];
  return broughtInto(sorted.operands, folder === undefined ? {} : { folder });
}

function installs(args: readonly Word[]): readonly Written[] {
  const sorted = sortWords(args, "m o g t S mode owner group target-directory suffix");
  if (hasOption(sorted, "d", "directory")) return sorted.operands.map((word) => ({ word, made: true }));
  const [folder] = valuesOf(sorted, "t", "target-directory");
  return broughtInto(sorted.operands, folder === undefined ? {} : { folder });
}

/** What a source with a slash at its end holds comes to stand in the target itself. */
function synchronises(args: readonly Word[]): readonly Written[] {
  const sorted = sortWords(
    args,
    "e f B M T rsh exclude include filter files-from exclude-from include-from chmod rsync-path port log-file bwlimit timeout max-size min-size compare-dest link-dest copy-dest backup-dir temp-dir partial-dir suffix",
  );
  if (hasOption(sorted, "n", "dry-run")) return [];
  return local(broughtInto(sorted.operands)).map((one) => {
    const isWhole = sorted.operands.slice(0, -1).some(({ text }) => text.endsWith("/"));
    return isWhole || hasOption(sorted, "delete") ? { word: one.word } : one;
  });
}

/** What goes to another machine is no file of this one. */
function local(written: readonly Written[]): readonly Written[] {
  return written.filter(({ word }) => !/^[^/]*:/.test(word.text));
}

/** The files of sed and perl that change them in place: what comes after their script, which is the first word, or follows an option. */
function inPlace(args: readonly Word[], valued: string, scripts: readonly string[]): readonly Written[] {
  // What stands behind the letter i in its word is the ending of a copy.
  const cut = args.map((word) =>
    /^-[a-zA-Z0-9]*i/.test(word.text) ? { ...word, text: word.text.replace(/i.*$/s, "i") } : word,
  );
  const sorted: Sorted = sortWords(cut, valued);
  if (!hasOption(sorted, "i", "in-place")) return [];
  return sorted.operands.slice(hasOption(sorted, ...scripts) ? 0 : 1).map((word) => ({ word }));
}

function ending(args: readonly Word[], begin: string): readonly Written[] {
  return args.flatMap((word) =>
    word.text.startsWith(begin) ? [{ word: { ...word, text: word.text.slice(begin.length) } }] : [],
  );
}

/** What is unpacked into a folder that is named, and the archive that is made. */
function unpacks(args: readonly Word[]): readonly Written[] {
  const [first, ...rest] = args;
  const dashed =
    first !== undefined && /^[a-zA-Z]+$/.test(first.text) ? [{ ...first, text: `-${first.text}` }, ...rest] : args;
  const sorted = sortWords(dashed, "f C T X b file directory exclude");
  if (hasOption(sorted, "x", "extract", "get")) return valuesOf(sorted, "C", "directory").map((word) => ({ word }));
  if (!hasOption(sorted, "c", "r", "u", "create", "append", "update")) return [];
  return valuesOf(sorted, "f", "file").flatMap((word) => (word.text === "-" ? [] : [{ word }]));
}
