import type { Fact, Facts } from "../../gates/check.ts";

/** The hits of each line, branch and function of each file. */
export type Coverage = {
  line(file: string, line: string, hits: number): void;
  branch(file: string, branch: string, isTaken: boolean): void;
  called(file: string, name: string, isCalled: boolean): void;
  read(): { readonly coverage: CoverageCount } | { readonly problem: string };
};

/** Which lines, branches and functions were run. */
export type CoverageCount = Readonly<Record<"lines" | "branches" | "functions", ReadonlyMap<string, boolean>>>;

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
      return { coverage: { lines, branches, functions } };
    },
  };
}

/** Adds up what several reports cover; what one of them ran was run. */
export function mergeCoverage(counts: readonly CoverageCount[]): CoverageCount {
  const merge = (part: keyof CoverageCount): ReadonlyMap<string, boolean> => {
    const all = new Map<string, boolean>();
    for (const one of counts) for (const [key, isRun] of one[part]) all.set(key, isRun || all.get(key) === true);
    return all;
  };
  return { lines: merge("lines"), branches: merge("branches"), functions: merge("functions") };
}

/** The facts that coverage gives. */
export function coverageFacts({ lines, branches, functions }: CoverageCount): Facts {
  return {
    ...percent("lines_percent", lines),
    ...percent("branches_percent", branches),
    ...percent("functions_percent", functions),
  };
}

/** The covered percentage, truncated to two decimals: 99.999 is not 100. */
function percent(fact: Fact, seen: ReadonlyMap<string, boolean>): Facts {
  if (seen.size === 0) return {};
  const run = [...seen.values()].filter(Boolean).length;
  return { [fact]: Math.floor((run / seen.size) * 10_000) / 100 };
}
