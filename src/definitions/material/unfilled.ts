import { definitionsOf } from "../bots/place.ts";
import { readText } from "../json-file.ts";
import { lineAt } from "../json-place.ts";
import { type Flaw, flawIn, type Remark } from "../problem.ts";
import type { Source } from "./found.ts";
import type { Unfilled } from "./placeholders.ts";

/** Says of a placeholder that was not filled what is wrong with it, in the file it stands in. */
export function unfilledFlaw({ tree, behavior }: Source, path: string, unfilled: Unfilled): Flaw {
  const text = readText(path) ?? "";
  const line = lineAt(text, Math.max(0, text.indexOf(unfilled.written)));
  return { ...flawIn(definitionsOf(tree), path, remarkOn(unfilled, behavior.name)), line };
}

/** Material that is made on the way: where there is none yet, nothing is wrong. */
export function comesLater({ name, why }: Unfilled): boolean {
  return why === "empty" && ["previous_outputs", "check_results", "files_on_record"].includes(name);
}

function remarkOn({ written, why }: Unfilled, behavior: string): Remark {
  switch (why) {
    case "unknown":
      return {
        code: "unknown-placeholder",
        message: `nothing is known for ${written}, so it is shown as it stands`,
        fix: "Use a name that Waymark fills in, or write it without the double braces.",
      };
    case "no file":
      return {
        code: "unknown-placeholder",
        message: `${written} names a file that does not stand beside this one, so it is shown as it stands`,
        fix: "Put the file beside this one, or take the sign in front of its name away.",
      };
    case "perhaps":
      return {
        code: "perhaps-placeholder",
        message: `nothing is known for ${written}, which may be code and is shown as it stands`,
        fix: "Nothing, if it is code; else use a name that Waymark fills in.",
      };
    case "empty":
      return {
        code: "empty-placeholder",
        message: `${written} has nothing to stand for in ${behavior} and is shown as "(none)"`,
        fix: `Give ${behavior} what it stands for, or take it out.`,
      };
  }
}
