import { hasOption, sortWords, valuesOf } from "./options.ts";
import type { Word } from "./parse.ts";
import { broughtInto, type Written } from "./written.ts";

/** What a call of git changes in the work tree; `folder`: where it is told to stand. */
export function gitWrites(args: readonly Word[]): { readonly folder?: Word; readonly written: readonly Written[] } {
  let [at, folder]: [number, Word | undefined] = [0, undefined];
  for (let text = args[0]?.text ?? ""; text.startsWith("-"); text = args[at]?.text ?? "") {
    at++;
    if (text === "-C") folder = args[at];
    if (/^(-C|-c|--git-dir|--work-tree|--namespace)$/.test(text)) at++;
  }
  const [command, ...rest] = args.slice(at);
  return { ...(folder === undefined ? {} : { folder }), written: writtenBy(command?.text ?? "", rest) };
}

const everything: Word = { text: ".", plain: true };

function writtenBy(command: string, args: readonly Word[]): readonly Written[] {
  switch (command) {
    case "rm": {
      const sorted = sortWords(args, "pathspec-from-file");
      return hasOption(sorted, "cached", "n", "dry-run")
        ? []
        : sorted.operands.map((word) => ({ word, removed: true }));
    }
    case "mv": {
      const sorted = sortWords(args);
      return hasOption(sorted, "n", "dry-run") ? [] : broughtInto(sorted.operands, { moved: true });
    }
    case "restore": {
      const sorted = sortWords(args, "s source pathspec-from-file U unified");
      const isIndexOnly = hasOption(sorted, "staged", "S") && !hasOption(sorted, "worktree", "W");
      return isIndexOnly ? [] : sorted.operands.map((word) => ({ word }));
    }
    case "checkout": {
      // Without the two dashes only what cannot be a branch is surely a file.
      const dashes = args.findIndex(({ text }) => text === "--");
      const files = dashes === -1 ? args.filter(({ text }) => /^\.{1,2}(\/|$)/.test(text)) : args.slice(dashes + 1);
      return files.map((word) => ({ word }));
    }
    case "clean": {
      const sorted = sortWords(args, "e exclude");
      if (hasOption(sorted, "n", "dry-run") || !hasOption(sorted, "f", "force")) return [];
      const files = sorted.operands.length > 0 ? sorted.operands : [everything];
      // What git ignores, and with it what Waymark keeps, goes only where it is told to.
      return files.map((word) => ({ word, ...(hasOption(sorted, "x", "X") ? { removed: true } : {}) }));
    }
    case "stash": {
      const sorted = sortWords(args, "m message pathspec-from-file");
      return hasOption(sorted, "a", "all") ? [{ word: everything, removed: true }] : [];
    }
    case "apply":
      return valuesOf(sortWords(args, "directory exclude include C p"), "directory").map((word) => ({ word }));
    default:
      return [];
  }
}
