import { lstat, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { CheckResult, CommandCheck, Facts } from "../../gates/check.ts";
import { canonicalText } from "../../gates/check-verdict.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { realPath } from "../../kit/real-path.ts";
import { sha256 } from "../../kit/sha256.ts";
import { notSubmitted, type SubmittedFile } from "../files/file-check.ts";
import { changedBetween, type FileReader, type FilesRead } from "../files/file-reader.ts";
import { readReport } from "../reports/read-report.ts";
import { compileGlob } from "../rules/glob.ts";
import { type PinnedCommand, pinnedCommand } from "./pinned-command.ts";
import { type CommandRun, type CommandRunner, mostOutput } from "./run-command.ts";

/** The dependencies of a command check. */
export type CommandTools = { readonly run: CommandRunner; readonly read: FileReader };

export type CommandRequest = {
  readonly area: string;
  readonly check: CommandCheck;
  /** What is trusted of it, as it was when its turn came. */
  readonly pinned: PinnedCommand;
  readonly submitted: readonly SubmittedFile[];
  readonly stop?: AbortSignal;
};

/** Hashes what a command check reads: its files and, after a dot, its variables; or returns why they cannot be read. */
export async function hashReads(
  area: string,
  check: CommandCheck,
  read: FileReader,
): Promise<{ readonly reads: string; readonly files: FilesRead } | { readonly problem: string }> {
  const except = check.reports.map(({ path }) => path.replace(/^(?:\.\/)+/, ""));
  const files = await read(area, { globs: check.reads, except, never: check.never });
  if ("problem" in files) return files;
  const environment = check.env.map((name) => [name, process.env[name] ?? null]);
  const named = sha256(JSON.stringify([...files])).slice(0, 32); // same as nameOf, which is slow for ten thousand files
  return { reads: environment.length === 0 ? named : `${named}.${canonicalText(environment)}`, files };
}

/** Runs a command check: the command, what it changed, and its reports. */
export async function runCommandCheck(
  { area, check, pinned, submitted, stop }: CommandRequest,
  tools: CommandTools,
): Promise<CheckResult> {
  const { definition } = pinned;
  const before = await hashReads(area, check, tools.read);
  if ("problem" in before) return failed(check, definition, "", before.problem);
  const { reads, files } = before;
  const other = await findDifferingFile(area, check, files, submitted);
  if (other !== undefined) return failed(check, definition, reads, notSubmitted(other));
  if (!(await isFolderInside(area, check.cwd)))
    return failed(check, definition, reads, `its cwd ${check.cwd} is not a folder inside the project area`);
  const stamps = await Promise.all(check.reports.map(({ path }) => fileStampOf(area, path)));
  const ran = await tools.run(commandOf(area, check), stop);
  const found = await findFacts(area, check, stamps);
  const after = await hashReads(area, check, tools.read);
  const changed = "problem" in after ? [] : changedBetween(files, after.files);
  const facts = "facts" in found ? found.facts : undefined;
  const trusted = await pinnedCommand(area, check);
  const complaint =
    (isDeepStrictEqual(trusted, pinned)
      ? undefined
      : "its pins or its package manager's configuration changed while it ran") ??
    commandProblem(check, ran) ??
    changedText(changed) ??
    ("problem" in found ? found.problem : undefined) ??
    // A test runner can exit 0 even when tests failed.
    (check.exit === 0 && (facts?.failed ?? 0) > 0 ? summaryOf(facts) : undefined) ??
    missingFacts(check, facts);
  return {
    name: check.name,
    status: complaint === undefined ? "passed" : "failed",
    definition,
    reads,
    summary: complaint ?? summaryOf(facts),
    ...(facts === undefined ? {} : { facts, ...fieldsFound(check, facts) }),
    ...(ran.exit === null ? {} : { exit: ran.exit }),
    seconds: Math.round(ran.milliseconds / 100) / 10,
    output: ran.output,
    contained: ran.contained,
  };
}

/** The evidence fields a check gives, from the facts of its reports. */
function fieldsFound({ gives }: CommandCheck, facts: Facts): Pick<CheckResult, "found"> {
  const known = Object.entries(gives).flatMap(([field, fact]) => {
    const value = facts[fact];
    return value === undefined ? [] : [[field, value] as const];
  });
  return known.length === 0 ? {} : { found: Object.fromEntries(known) };
}

/** Names facts that a check should give but no report has; a claim would fill them otherwise. */
function missingFacts({ gives }: CommandCheck, facts: Facts = {}): string | undefined {
  const missing = Object.values(gives).filter((fact) => facts[fact] === undefined);
  return missing.length === 0 ? undefined : `its reports do not give ${[...new Set(missing)].join(", ")}`;
}

function failed({ name }: CommandCheck, definition: string, reads: string, summary: string): CheckResult {
  return { name, status: "failed", definition, reads, summary };
}

function commandOf(area: string, { run, cwd, env, timeoutSeconds }: CommandCheck) {
  const submitted = [...usual, ...env].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { argv: run, cwd: join(area, cwd), env: Object.fromEntries(submitted), timeoutMs: timeoutSeconds * 1000 };
}

const usual = ["PATH", "HOME", "LANG", "TMPDIR", "USER"];

function commandProblem({ run, exit, timeoutSeconds }: CommandCheck, ran: CommandRun): string | undefined {
  switch (ran.ending) {
    case "exited":
      if (ran.exit === exit) return undefined;
      return ran.exit === null ? `killed by ${ran.signal ?? "a signal"}` : `exited with ${ran.exit}, not ${exit}`;
    case "timed out":
      return `timed out after ${timeoutSeconds} s`;
    case "lost":
      return `its supervisor died and the rest was killed: ${ran.fault ?? "reason unknown"}`;
    case "flooded":
      return `killed because it wrote more than ${mostOutput / 1024 ** 3} GB`;
    case "abandoned":
      return "stopped before it finished";
    case "not started":
      return `${run[0]} could not be started: ${ran.fault ?? "reason unknown"}`;
  }
}

function changedText(changed: readonly string[]): string | undefined {
  if (changed.length === 0) return undefined;
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : "";
  return `it changed files it reads: ${changed.slice(0, 3).join(", ")}${more}`;
}

/** Collects the facts of all reports; a report that this run did not write does not count. */
async function findFacts(
  area: string,
  { reports }: CommandCheck,
  stamps: readonly (string | undefined)[],
): Promise<{ readonly facts?: Facts } | { readonly problem: string }> {
  let facts: Facts | undefined;
  for (const [at, { format, path }] of reports.entries()) {
    const now = await fileStampOf(area, path);
    if (now === undefined) return { problem: `its report ${path} was not written` };
    if (now === stamps[at]) return { problem: `its report ${path} is older than this run` };
    const read = await readReport(join(area, path), format);
    if ("problem" in read) return { problem: `its report ${path} cannot be used: ${read.problem}` };
    facts = { ...facts, ...read.facts };
  }
  return facts === undefined ? {} : { facts };
}

/** The first submitted file the check reads that differs or is missing in the project area. */
async function findDifferingFile(
  area: string,
  { reads }: CommandCheck,
  files: FilesRead,
  submitted: readonly SubmittedFile[],
): Promise<string | undefined> {
  const globs = reads?.map((glob) => compileGlob(glob, "hidden files too"));
  for (const { path, sha256: wanted } of submitted) {
    const isRead = globs === undefined || globs.some((one) => typeof one === "function" && one(path));
    const there = files.get(path) ?? (isRead ? await hashOf(join(area, path)) : undefined);
    if ((isRead || there !== undefined) && there?.endsWith(wanted) !== true) return path;
  }
  return undefined;
}

async function hashOf(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  return bytes === undefined ? undefined : sha256(bytes);
}

async function isFolderInside(area: string, cwd: string): Promise<boolean> {
  const root = await realPath(area);
  const folder = root === undefined ? undefined : await realPath(join(root, cwd));
  if (root === undefined || folder === undefined || !(await lstat(folder)).isDirectory()) return false;
  return isPathInside(root, folder);
}

/** Identifies one write of a file; undefined if it is not a plain file inside the area. */
async function fileStampOf(area: string, path: string): Promise<string | undefined> {
  if (!(await isFolderInside(area, dirname(path)))) return undefined;
  const found = await lstat(join(area, path), { bigint: true }).catch(() => undefined);
  if (found === undefined || !found.isFile()) return undefined;
  return [found.ino, found.size, found.mtimeNs, found.ctimeNs].join();
}

function summaryOf(facts: Facts | undefined): string {
  if (facts === undefined) return "passed";
  const { tests, passed, failed: broken, skipped, lines_percent: lines } = facts;
  const said = [
    ...(tests === undefined
      ? []
      : [
          `${passed} of ${tests} tests passed${broken ? `, ${broken} failed` : ""}${skipped ? `, ${skipped} skipped` : ""}`,
        ]),
    ...(lines === undefined ? [] : [`${lines} % of lines covered`]),
  ];
  return said.join("; ") || "passed";
}
