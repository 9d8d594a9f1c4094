import type { SignedResult } from "./signed-result.ts";
import type { Source } from "./source.ts";

/** The facts a report can give, by their names in gate files; durations are in seconds. */
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

/** The facts found in reports. */
export type Facts = Partial<Readonly<Record<Fact, number>>>;

/** The report formats; jest's JSON is vitest's. */
export const reportFormats = ["junit", "tap", "vitest", "ctrf", "lcov", "cobertura"] as const;

export type ReportFormat = (typeof reportFormats)[number];

/** The facts a format can give. */
export function factsOf(format: ReportFormat): readonly Fact[] {
  return facts.filter((fact) => fact.endsWith("_percent") === isCoverage[format]);
}

const isCoverage: Readonly<Record<ReportFormat, boolean>> = {
  junit: false,
  tap: false,
  vitest: false,
  ctrf: false,
  lcov: true,
  cobertura: true,
};

/** Something Waymark finds out by itself before a step counts as done. */
export type Check = CommandCheck | FileCheck | GitCheck;

type Named = {
  readonly name: string;
  readonly source?: Source;
  /** Set if only an independent runner's result counts, on a fresh checkout. */
  readonly runner?: "independent";
};

/** A command that must exit as expected, and the facts of its reports. */
export type CommandCheck = Named & {
  readonly kind: "command";
  readonly run: readonly [string, ...string[]];
  /** Inside the project area; "." is the area itself. */
  readonly cwd: string;
  readonly timeoutSeconds: number;
  /** Variables passed on besides the default ones. */
  readonly env: readonly string[];
  readonly exit: number;
  readonly reports: readonly { readonly format: ReportFormat; readonly path: string }[];
  /** The fact that fills each evidence field. */
  readonly gives: Readonly<Record<string, Fact>>;
  /** Globs of the files the proof depends on; if left out, what git tracks or would add, else all. */
  readonly reads?: readonly string[];
  /** Paths and globs that are never read: the output of other checks; not part of the check's meaning. */
  readonly never?: readonly string[];
  /** Parts of files that belong to the command. */
  readonly pins: readonly Pin[];
};

/** A file or, with a JSON pointer, a value in it. */
export type Pin = { readonly file: string; readonly pointer?: string };

/** A file that must exist, and its required content. */
export type FileCheck = Named & {
  readonly kind: "file";
  readonly path: string;
  readonly headings: readonly string[];
  readonly minWords?: number;
  /** A JSON Schema of the definitions. */
  readonly schema?: string;
  /** Its text; empty if unreadable; left out in older copies of definitions, which have only the name. */
  readonly schemaText?: string;
};

/** Facts that must be true of the repository. */
export type GitCheck = Named & {
  readonly kind: "git";
  readonly clean?: boolean;
  readonly branch?: string;
  readonly commitsSinceStart?: number;
};

/** The result of a check on the files at that time. */
export type CheckResult = {
  readonly name: string;
  readonly status: "passed" | "failed";
  /** The hash of the check as written, with its pins. */
  readonly definition: string;
  /** The hash of the files it read. */
  readonly reads: string;
  /** A short summary. */
  readonly summary: string;
  readonly facts?: Facts;
  /** The names of failing tests, the first twenty. */
  readonly failing?: readonly string[];
  /** The evidence fields it gives, as found. */
  readonly found?: Readonly<Record<string, number>>;
  readonly exit?: number;
  readonly seconds?: number;
  /** The last lines of its output. */
  readonly output?: string;
  /** The containment of its processes. */
  readonly contained?: string;
  /** This machine's seal over the rest; without it the check runs again. */
  readonly seal?: string;
  /** The runner's signature over the rest, if one ran it. */
  readonly signed?: SignedResult;
};

/** The status of a check while a step is completed: its result, or why there is none yet. */
export type CheckStatus =
  | CheckResult
  | {
      readonly name: string;
      readonly status: "running" | "untrusted" | "stale";
      readonly definition: string;
      readonly summary: string;
      readonly seconds?: number;
      /** The command by which a person trusts it. */
      readonly trust?: string;
      /** A check that a runner is asked for, and how to start one if none was seen. */
      readonly wanted?: WantedPart;
      readonly start?: string;
    };

/** A check that a runner is asked for, as recorded. */
export type WantedPart = {
  readonly check: string;
  /** The hash of the check as written. */
  readonly definition: string;
  /** The digest of the submitted content. */
  readonly digest: string;
  /** The commit the caller's work tree was at, if that is known. */
  readonly commit?: string;
};
