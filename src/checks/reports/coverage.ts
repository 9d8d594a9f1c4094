import type { Fact, Facts } from "../../evidence/check.ts";
import type { ReportRead } from "./report.ts";

/** How often each line, branch and function of each file was run, gathered from the single entries. */
export type Coverage = {
  line(file: string, line: string, hits: number): void;
  branch(file: string, branch: string, isTaken: boolean): void;
  called(file: string, name: string, isCalled: boolean): void;
  read(): ReportRead;
};

/** Begins to gather. What is named twice is one, and was run where either says so. */
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
      if (lines.size === 0) return { problem: "it holds no line of code" };
      const facts: Facts = {
        ...percent("lines_percent", lines),
        ...percent("branches_percent", branches),
        ...percent("functions_percent", functions),
      };
      return { facts };
    },
  };
}

/** The part that was run, cut after two places: 99.999 is not 100. */
function percent(fact: Fact, seen: ReadonlyMap<string, boolean>): Facts {
  if (seen.size === 0) return {};
  const run = [...seen.values()].filter(Boolean).length;
  return { [fact]: Math.floor((run / seen.size) * 10_000) / 100 };
}
