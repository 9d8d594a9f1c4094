import type { Source } from "./gate.ts";

/** What a report can tell, by the names that a gate file uses. Durations are in seconds. */
export const facts = [
  "tests",
  "passed",
  "failed",
  "skipped",
  "duration",
  "lines_percent",
  "branches_percent",
  "functions_percent",
] as const;

export type Fact = (typeof facts)[number];

/** What was found in reports; a fact that none of them tells is left out. */
export type Facts = Partial<Readonly<Record<Fact, number>>>;

/** The formats of reports that are read. jest's JSON is vitest's. */
export const reportFormats = ["junit", "tap", "vitest", "lcov", "cobertura"] as const;

export type ReportFormat = (typeof reportFormats)[number];

/** What a report in each format can tell. */
export function factsOf(format: ReportFormat): readonly Fact[] {
  const isCoverage = format === "lcov" || format === "cobertura";
  return facts.filter((fact) => fact.endsWith("_percent") === isCoverage);
}

/** Something that Waymark finds out by itself before a step counts as done. */
export type Check = CommandCheck | FileCheck | GitCheck;

type Named = { readonly name: string; readonly source?: Source };

/** A command that must end as it should, and what its reports must tell. */
export type CommandCheck = Named & {
  readonly kind: "command";
  readonly run: readonly [string, ...string[]];
  /** Inside the project area; "." is the area itself. */
  readonly cwd: string;
  readonly timeoutSeconds: number;
  /** Names of variables that are handed on, beside the usual ones. */
  readonly env: readonly string[];
  readonly exit: number;
  readonly reports: readonly { readonly format: ReportFormat; readonly path: string }[];
  /** Which field of the evidence is found by which fact. */
  readonly gives: Readonly<Record<string, Fact>>;
  /** Globs of the files that the proof depends on; left out: those that git has or would take, else all. */
  readonly reads?: readonly string[];
  /** Paths and globs of what is never read: what others of its sequence leave there. No part of what it asks for. */
  readonly never?: readonly string[];
  /** Parts of files that belong to the command. */
  readonly pins: readonly Pin[];
};

/** A file, or with a JSON pointer a value in it. */
export type Pin = { readonly file: string; readonly pointer?: string };

/** A file that must be there, and what must stand in it. */
export type FileCheck = Named & {
  readonly kind: "file";
  readonly path: string;
  readonly headings: readonly string[];
  readonly minWords?: number;
  /** A JSON Schema among the definitions. */
  readonly schema?: string;
  /** What it says; nothing, where it cannot be read. Left out in copies of definitions that were kept when only its name was. */
  readonly schemaText?: string;
};

/** What must be true of the repository. */
export type GitCheck = Named & {
  readonly kind: "git";
  readonly clean?: boolean;
  readonly branch?: string;
  readonly commitsSinceStart?: number;
};

/** What a check came to, on the files as they were then. */
export type CheckResult = {
  readonly name: string;
  readonly status: "passed" | "failed";
  /** Names what was checked: the check as its author wrote it, and what is pinned to it. */
  readonly definition: string;
  /** Names the files that it read. */
  readonly reads: string;
  /** In a few words. */
  readonly summary: string;
  readonly facts?: Facts;
  /** The fields of the evidence that it gives, as it found them. */
  readonly found?: Readonly<Record<string, number>>;
  readonly exit?: number;
  readonly seconds?: number;
  /** The last lines of what it wrote. */
  readonly output?: string;
  /** How its processes were kept together. */
  readonly contained?: string;
  /** Made of all the rest by the machine that ran it: without it, it is run again. */
  readonly seal?: string;
};

/** How a check stands while a step is completed: what it came to on the files as they are, or why nobody knows yet. */
export type CheckStanding =
  | CheckResult
  | {
      readonly name: string;
      readonly status: "running" | "untrusted" | "stale";
      readonly definition: string;
      readonly summary: string;
      readonly seconds?: number;
    };
