import { lstat, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CheckResult, CommandCheck, Facts } from "../../evidence/check.ts";
import { nameOf } from "../../evidence/check-verdict.ts";
import { sha256 } from "../../evidence/sha256.ts";
import { liesIn } from "../../paths/lies-in.ts";
import { realPath } from "../../paths/real-path.ts";
import { type HandedFile, notHandedIn } from "../files/file-check.ts";
import { changedBetween, type FileReader, type FilesRead } from "../files/reads.ts";
import { readReport } from "../reports/read-report.ts";
import { compileGlob } from "../rules/glob.ts";
import { type CommandRun, type CommandRunner, mostOutput } from "./run-command.ts";

/** What a command check needs from outside. */
export type CommandTools = { readonly run: CommandRunner; readonly read: FileReader };

export type CommandAsked = {
  readonly area: string;
  readonly check: CommandCheck;
  readonly definition: string;
  readonly handed: readonly HandedFile[];
  readonly stop?: AbortSignal;
};

/** Names what a command check reads, as it is now: its files, and behind a dot its variables; or says why they cannot be read. */
export async function readsOf(
  area: string,
  check: CommandCheck,
  read: FileReader,
): Promise<{ readonly reads: string; readonly files: FilesRead } | { readonly problem: string }> {
  const except = check.reports.map(({ path }) => path.replace(/^(?:\.\/)+/, ""));
  const files = await read(area, { globs: check.reads, except, never: check.never });
  if ("problem" in files) return files;
  const environment = check.env.map((name) => [name, process.env[name] ?? null]);
  const named = sha256(JSON.stringify([...files])).slice(0, 32); // as nameOf would, which is slow for ten thousand
  return { reads: environment.length === 0 ? named : `${named}.${nameOf(environment)}`, files };
}

/** Runs a command check whole: the command, what it changed, and what its reports tell. */
export async function runCommandCheck(
  { area, check, definition, handed, stop }: CommandAsked,
  tools: CommandTools,
): Promise<CheckResult> {
  const before = await readsOf(area, check, tools.read);
  if ("problem" in before) return failed(check, definition, "", before.problem);
  const { reads, files } = before;
  const other = await findOther(area, check, files, handed);
  if (other !== undefined) return failed(check, definition, reads, notHandedIn(other));
  if (!(await isFolderInside(area, check.cwd)))
    return failed(check, definition, reads, `${check.cwd}, where it should run, is no folder inside the project area`);
  const stamps = await Promise.all(check.reports.map(({ path }) => stampOf(area, path)));
  const ran = await tools.run(commandOf(area, check), stop);
  const found = await findFacts(area, check, stamps);
  const after = await readsOf(area, check, tools.read);
  const changed = "problem" in after ? [] : changedBetween(files, after.files);
  const facts = "facts" in found ? found.facts : undefined;
  const complaint =
    complaintOf(check, ran) ??
    changedText(changed) ??
    ("problem" in found ? found.problem : undefined) ??
    // A runner can be told to end well whatever its tests say.
    (check.exit === 0 && (facts?.failed ?? 0) > 0 ? summaryOf(facts) : undefined) ??
    untold(check, facts);
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

/** The fields of the evidence that a check gives, by what its reports tell. */
function fieldsFound({ gives }: CommandCheck, facts: Facts): Pick<CheckResult, "found"> {
  const known = Object.entries(gives).flatMap(([field, fact]) => {
    const value = facts[fact];
    return value === undefined ? [] : [[field, value] as const];
  });
  return known.length === 0 ? {} : { found: Object.fromEntries(known) };
}

/** What a check should give and no report tells would be left to whoever claims it. */
function untold({ gives }: CommandCheck, facts: Facts = {}): string | undefined {
  const missing = Object.values(gives).filter((fact) => facts[fact] === undefined);
  return missing.length === 0 ? undefined : `no report of it tells ${[...new Set(missing)].join(", ")}`;
}

function failed({ name }: CommandCheck, definition: string, reads: string, summary: string): CheckResult {
  return { name, status: "failed", definition, reads, summary };
}

function commandOf(area: string, { run, cwd, env, timeoutSeconds }: CommandCheck) {
  const handed = [...usual, ...env].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { argv: run, cwd: join(area, cwd), env: Object.fromEntries(handed), timeoutMs: timeoutSeconds * 1000 };
}

const usual = ["PATH", "HOME", "LANG", "TMPDIR", "USER"];

function complaintOf({ run, exit, timeoutSeconds }: CommandCheck, ran: CommandRun): string | undefined {
  switch (ran.ending) {
    case "exited":
      if (ran.exit === exit) return undefined;
      return ran.exit === null
        ? `it was ended by ${ran.signal ?? "a signal"}`
        : `it ended with ${ran.exit}, not ${exit}`;
    case "timed out":
      return `it was ended after ${timeoutSeconds} s, its time limit`;
    case "lost":
      return `it was lost, and what was left of it was ended: ${ran.fault ?? "no reason is known"}`;
    case "flooded":
      return `it was ended because it wrote more than ${mostOutput / 1024 ** 3} GB`;
    case "abandoned":
      return "it was ended before it was done";
    case "not started":
      return `${run[0]} could not be started: ${ran.fault ?? "no reason is known"}`;
  }
}

function changedText(changed: readonly string[]): string | undefined {
  if (changed.length === 0) return undefined;
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : "";
  return `it changed files that it reads: ${changed.slice(0, 3).join(", ")}${more}`;
}

/** What the reports tell together. One that was not written by this very run does not count. */
async function findFacts(
  area: string,
  { reports }: CommandCheck,
  stamps: readonly (string | undefined)[],
): Promise<{ readonly facts?: Facts } | { readonly problem: string }> {
  let facts: Facts | undefined;
  for (const [at, { format, path }] of reports.entries()) {
    const now = await stampOf(area, path);
    if (now === undefined) return { problem: `${path}, its report, was not written` };
    if (now === stamps[at]) return { problem: `${path}, its report, is older than this run` };
    const read = await readReport(join(area, path), format);
    if ("problem" in read) return { problem: `${path}, its report, cannot be counted: ${read.problem}` };
    facts = { ...facts, ...read.facts };
  }
  return facts === undefined ? {} : { facts };
}

/** The first file that was handed in for what the check reads, and stands otherwise or not at all in the project area. */
async function findOther(
  area: string,
  { reads }: CommandCheck,
  files: FilesRead,
  handed: readonly HandedFile[],
): Promise<string | undefined> {
  const globs = reads?.map((glob) => compileGlob(glob));
  for (const { path, sha256: wanted } of handed) {
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
  return liesIn(root, folder);
}

/** Tells one writing of a file from another; undefined where no plain file stands there, or the way to it leaves the area. */
async function stampOf(area: string, path: string): Promise<string | undefined> {
  if (!(await isFolderInside(area, dirname(path)))) return undefined;
  const found = await lstat(join(area, path), { bigint: true }).catch(() => undefined);
  if (found === undefined || !found.isFile()) return undefined;
  return [found.ino, found.size, found.mtimeNs, found.ctimeNs].join();
}

function summaryOf(facts: Facts | undefined): string {
  if (facts === undefined) return "it passed";
  const { tests, passed, failed: broken, skipped, lines_percent: lines } = facts;
  const said = [
    ...(tests === undefined
      ? []
      : [
          `${passed} of ${tests} tests passed${broken ? `, ${broken} failed` : ""}${skipped ? `, ${skipped} skipped` : ""}`,
        ]),
    ...(lines === undefined ? [] : [`${lines} % of the lines covered`]),
  ];
  return said.join("; ") || "it passed";
}
