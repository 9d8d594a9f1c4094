import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { CheckResult, CommandCheck, Facts } from "../../gates/check.ts";
import { canonicalText } from "../../gates/check-verdict.ts";
import { sha256 } from "../../kit/sha256.ts";
import { notSubmitted, type SubmittedFile } from "../files/file-check.ts";
import { changedBetween, type FileReader, type FilesRead } from "../files/file-reader.ts";
import { isFolderInside } from "../files/folder-inside.ts";
import { watchReports } from "../reports/watch-reports.ts";
import { compileGlob } from "../rules/glob.ts";
import { type PinnedCommand, pinnedCommand } from "./pinned-command.ts";
import { type CommandRun, type CommandRunner, mostOutput } from "./run-command.ts";

/** The dependencies of a command check. */
export type CommandTools = { readonly run: CommandRunner; readonly read: FileReader };

export type CommandRequest = {
  readonly area: string;
  readonly check: CommandCheck;
  /** The trusted command and its pins when its turn came. */
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
  const watch = await watchReports(area, check.reports);
  const ran = await tools.run(commandOf(area, check), stop);
  const found = await watch.read();
  const after = await hashReads(area, check, tools.read);
  const changed = "problem" in after ? [] : changedBetween(files, after.files);
  const { facts = undefined, failing = undefined } = "facts" in found ? found : {};
  const trusted = await pinnedCommand(area, check);
  const complaint =
    (isDeepStrictEqual(trusted, pinned)
      ? undefined
      : "its pins or its package manager's configuration changed while it ran") ??
    commandProblem(check, ran) ??
    changedText(changed) ??
    ("problem" in found ? found.problem : undefined) ??
    // A test runner can exit 0 even when tests failed.
    (check.exit === 0 && (facts?.failed ?? 0) > 0 ? summaryOf(facts, failing) : undefined) ??
    missingFacts(check, facts);
  return {
    name: check.name,
    status: complaint === undefined ? "passed" : "failed",
    definition,
    reads,
    summary: withFailing(complaint, failing) ?? summaryOf(facts),
    ...(facts === undefined ? {} : { facts, ...fieldsFound(check, facts) }),
    ...(failing === undefined ? {} : { failing }),
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

/** Adds the names of failing tests to a complaint that does not have them. */
function withFailing(complaint: string | undefined, failing: readonly string[] | undefined): string | undefined {
  const isNamed = complaint === undefined || failing === undefined || complaint.includes(failing[0] ?? "");
  return isNamed ? complaint : `${complaint}; failed: ${namesOf(failing)}`;
}

function namesOf(failing: readonly string[]): string {
  return `${failing.slice(0, 3).join(", ")}${failing.length > 3 ? " and others" : ""}`;
}

function summaryOf(facts: Facts | undefined, failing: readonly string[] = []): string {
  if (facts === undefined) return "passed";
  const { tests, passed, failed: broken, skipped, lines_percent: lines } = facts;
  const said = [
    ...(tests === undefined
      ? []
      : [
          `${passed} of ${tests} tests passed${broken ? `, ${broken} failed${failing.length > 0 ? ` (${namesOf(failing)})` : ""}` : ""}${skipped ? `, ${skipped} skipped` : ""}`,
        ]),
    ...(lines === undefined ? [] : [`${lines} % of lines covered`]),
  ];
  return said.join("; ") || "passed";
}
