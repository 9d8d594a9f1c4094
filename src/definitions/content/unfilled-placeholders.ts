import { readText } from "../files/json-file.ts";
import { lineAt } from "../files/json-locations.ts";
import { type JsonProblem, type LoaderProblem, locateProblem } from "../loader-problem.ts";
import type { MaterialSource } from "./material-source.ts";
import type { Unfilled } from "./placeholders.ts";

/** The problem of an unfilled placeholder, in its file. */
export function unfilledProblem(
  { definitions, behavior }: MaterialSource,
  path: string,
  unfilled: Unfilled,
): LoaderProblem {
  const text = readText(definitions, path) ?? "";
  const line = lineAt(text, Math.max(0, text.indexOf(unfilled.written)));
  return { ...locateProblem(definitions, path, remarkOn(unfilled, behavior.name)), line };
}

/** True for material that appears later in the run, so an empty one is fine. */
export function isFilledLater({ name, why }: Unfilled): boolean {
  return why === "empty" && ["previous_outputs", "check_results", "files_on_record"].includes(name);
}

function remarkOn({ written, why }: Unfilled, behavior: string): JsonProblem {
  switch (why) {
    case "unknown":
      return {
        code: "unknown-placeholder",
        message: `the placeholder ${written} is unknown, so it is shown as it is`,
        fix: "Use a name that Waymark fills in, or remove the double braces.",
      };
    case "no file":
      return {
        code: "unknown-placeholder",
        message: `${written} names a file that is not beside this one, so it is shown as it is`,
        fix: "Put the file beside this one, or remove the @ before its name.",
      };
    case "perhaps":
      return {
        code: "perhaps-placeholder",
        message: `${written} may be an unknown placeholder or code, so it is shown as it is`,
        fix: "Leave it if it is code; otherwise use a name that Waymark fills in.",
      };
    case "empty":
      return {
        code: "empty-placeholder",
        message: `${written} has no value in ${behavior}, so it is shown as "(none)"`,
        fix: `Add the material to ${behavior}, or remove the placeholder.`,
      };
  }
}
