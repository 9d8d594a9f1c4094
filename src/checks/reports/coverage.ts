import type { Fact, Facts } from "../../gates/check.ts";
import type { ReportRead } from "./report.ts";

/** The hits of each line, branch and function of each file. */
export type Coverage = {
  line(file: string, line: string, hits: number): void;
  branch(file: string, branch: string, isTaken: boolean): void;
  called(file: string, name: string, isCalled: boolean): void;
  read(): ReportRead;
};

/** Starts counting; an entry that appears twice counts once, as covered if either says so. */
export function gatherCoverage(): Coverage {
  const lines = new Map<string, boolean>();
  const branches = new Map<string, boolean>();
  const functions = new Map<string, boolean>();
  const note = (seen: Map<string, boolean>, key: string, isRun: boolean): void => {
    seen.set(key, isRun || seen.get(key) === true);
  };
  return {
    line: (file, line, hits) => note(lines, `${file}\n${line}`, hits > 0),
    branch: (file, branch, isTaken) => note(branches, `${file}\n${branch}`, isTaken),
    called: (file, name, isCalled) => note(functions, `${file}\n${name}`, isCalled),
    read() {
      if (lines.size === 0) return { problem: "it contains no lines of code" };
      const facts: Facts = {
        ...percent("lines_percent", lines),
        ...percent("branches_percent", branches),
        ...percent("functions_percent", functions),
      };
      return { facts };
    },
  };
}

/** The covered percentage, truncated to two decimals: 99.999 is not 100. */
function percent(fact: Fact, seen: ReadonlyMap<string, boolean>): Facts {
  if (seen.size === 0) return {};
  const run = [...seen.values()].filter(Boolean).length;
  return { [fact]: Math.floor((run / seen.size) * 10_000) / 100 };
}
