import { defined } from "../../../kit/defined.ts";
import { hasOption, sortArguments, valuesOf } from "./options.ts";
import type { ShellWord } from "./shell-command.ts";
import { copyTargets, type WrittenPath } from "./written-path.ts";

/** The files that a git command changes in the work tree; `folder` is its working folder, if given. */
export function gitWrites(args: readonly ShellWord[]): {
  readonly folder?: ShellWord;
  readonly written: readonly WrittenPath[];
} {
  let [at, folder]: [number, ShellWord | undefined] = [0, undefined];
  for (let text = args[0]?.text ?? ""; text.startsWith("-"); text = args[at]?.text ?? "") {
    at++;
    if (text === "-C") folder = args[at];
    if (/^(-C|-c|--git-dir|--work-tree|--namespace)$/.test(text)) at++;
  }
  const [command, ...rest] = args.slice(at);
  return { ...defined({ folder }), written: writtenBy(command?.text ?? "", rest) };
}

const everything: ShellWord = { text: ".", plain: true };

function writtenBy(command: string, args: readonly ShellWord[]): readonly WrittenPath[] {
  switch (command) {
    case "rm": {
      const sorted = sortArguments(args, "pathspec-from-file");
      return hasOption(sorted, "cached", "n", "dry-run")
        ? []
        : sorted.operands.map((word) => ({ word, removed: true }));
    }
    case "mv": {
      const sorted = sortArguments(args);
      return hasOption(sorted, "n", "dry-run") ? [] : copyTargets(sorted.operands, { moved: true });
    }
    case "restore": {
      const sorted = sortArguments(args, "s source pathspec-from-file U unified");
      const isIndexOnly = hasOption(sorted, "staged", "S") && !hasOption(sorted, "worktree", "W");
      return isIndexOnly ? [] : sorted.operands.map((word) => ({ word }));
    }
    case "checkout": {
      // Without `--`, only a word that cannot be a branch is certainly a file.
      const dashes = args.findIndex(({ text }) => text === "--");
      const files = dashes === -1 ? args.filter(({ text }) => /^\.{1,2}(\/|$)/.test(text)) : args.slice(dashes + 1);
      return files.map((word) => ({ word }));
    }
    case "clean": {
      const sorted = sortArguments(args, "e exclude");
      if (hasOption(sorted, "n", "dry-run") || !hasOption(sorted, "f", "force")) return [];
      const files = sorted.operands.length > 0 ? sorted.operands : [everything];
      // git clean removes ignored files, Waymark's among them, only with -x or -X.
      return files.map((word) => ({ word, ...(hasOption(sorted, "x", "X") ? { removed: true } : {}) }));
    }
    case "stash": {
      const sorted = sortArguments(args, "m message pathspec-from-file");
      return hasOption(sorted, "a", "all") ? [{ word: everything, removed: true }] : [];
    }
    case "apply":
      return valuesOf(sortArguments(args, "directory exclude include C p"), "directory").map((word) => ({ word }));
    default:
      return [];
  }
}
