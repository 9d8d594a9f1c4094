import {
  type Check,
  type CommandCheck,
  type Fact,
  type FileCheck,
  facts,
  factsOf,
  type GitCheck,
  type Pin,
  reportFormats,
} from "../../gates/check.ts";
import { defined } from "../../kit/defined.ts";
import { secondsIn } from "../../kit/duration.ts";
import { isObject, type Json } from "../../kit/json.ts";
import { areTexts, Form, isCount, isInside, isText } from "./form.ts";
import type { GateSource } from "./gate-errors.ts";

/** The checks of a gate by name, and whether the bot's rules must hold. */
export type GateChecks = { readonly rulesHold: boolean; readonly checks: readonly Check[] };

/** Reads `checks` of a gate file and reports everything invalid. */
export function readGateChecks(value: Json, written: GateSource): GateChecks {
  const { complain } = written;
  if (!Array.isArray(value)) complain("value", ["checks"], "checks must be a list");
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  const checks: Check[] = [];
  list.forEach((entry, index) => {
    if (entry === "rules") return;
    const check = readCheck(entry, ["checks", String(index)], written);
    if (check === undefined) return;
    if (checks.some(({ name }) => name === check.name))
      complain("value", ["checks", String(index), "name"], `two checks are named ${check.name}`);
    checks.push(check);
  });
  const givers = checks.flatMap((check) => (check.kind === "command" ? Object.keys(check.gives) : []));
  for (const field of new Set(givers.filter((one, at) => givers.indexOf(one) !== at)))
    complain("value", ["checks"], `two checks provide ${field}`);
  return { rulesHold: list.includes("rules"), checks };
}

function readCheck(entry: Json, at: readonly string[], written: GateSource): Check | undefined {
  if (!isObject(entry)) {
    written.complain("value", at, `the check ${JSON.stringify(entry)} is not understood`);
    return undefined;
  }
  const form = new Form(entry, at, written, " of a check");
  if (entry.name === undefined) form.complain([], "a check needs a name");
  const name = form.take("name", isName, "a name of at most 64 letters, digits, _ and -");
  const kinds = ["run", "file", "git"].filter((key) => entry[key] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    form.complain([], "a check must have exactly one of run, file and git");
    return undefined;
  }
  const named = { name: name ?? "check", source: { file: written.file, line: written.lineOf(at) } };
  const check = kind === "run" ? command(form, named) : kind === "file" ? file(form, named) : git(form, named);
  form.finish();
  if (check.kind === "command") complainOfGives(form, check);
  return check;
}

/** Reports facts that no report of the check contains, since the field would stay empty. */
function complainOfGives(form: Form, { gives, reports }: CommandCheck): void {
  const reported = new Set(reports.flatMap(({ format }) => factsOf(format)));
  for (const [field, fact] of Object.entries(gives))
    if (!reported.has(fact))
      form.complain(
        ["gives", field],
        `${field} comes from ${fact}, which ${reports.length === 0 ? "needs a report" : "none of its reports contains"}`,
      );
}

type Named = Pick<Check, "name" | "source">;

function command(form: Form, named: Named): CommandCheck {
  const run = form.take(
    "run",
    isArgv,
    "a list of strings, the program and its arguments without a shell, such as [npm, test]",
  );
  const timeout = form.take("timeout", isDuration, "a duration such as 20s or 5m, at most 60m") ?? "5m";
  const reads = form.take("reads", areTexts, "a list of globs");
  return {
    ...named,
    kind: "command",
    run: run ?? [""],
    cwd: form.take("cwd", isInside, "a folder inside the project area, written with /") ?? ".",
    timeoutSeconds: secondsIn(timeout) ?? 300,
    env: form.take("env", areVariables, "a list of variable names") ?? [],
    exit: form.take("exit", isExit, "a number from 0 to 255") ?? 0,
    reports: reports(form),
    gives: form.take("gives", areFacts, `a mapping of evidence fields to facts (${facts.join(", ")})`) ?? {},
    ...defined({ reads }),
    pins: (form.take("pins", arePins, 'a list of files, such as "package.json#/scripts/test"') ?? []).map(pinOf),
  };
}

function reports(form: Form): CommandCheck["reports"] {
  const isReport = (value: Json): value is { format: CommandCheck["reports"][number]["format"]; path: string } =>
    isObject(value) &&
    Object.keys(value).every((key) => key === "format" || key === "path") &&
    reportFormats.some((format) => format === value.format) &&
    isInside(value.path ?? null);
  const areReports = (value: Json): value is Json & (CommandCheck["reports"][number] | CommandCheck["reports"]) =>
    isReport(value) || (Array.isArray(value) && value.length > 0 && value.every(isReport));
  const said = form.take("report", areReports, `{format: ${reportFormats.join(" | ")}, path: …}, or a list of these`);
  if (said === undefined) return [];
  return Array.isArray(said) ? said : [said as CommandCheck["reports"][number]];
}

function file(form: Form, named: Named): FileCheck {
  const minWords = form.take("min_words", isCount, "a whole number above 0");
  const schema = form.take("schema", isInside, "a JSON Schema, relative to the definitions");
  return {
    ...named,
    kind: "file",
    path: form.take("file", isInside, "a path inside the project area, written with /") ?? "",
    headings: form.take("headings", areTexts, "a list of headings") ?? [],
    ...defined({ minWords, schema }),
  };
}

function git(form: Form, named: Named): GitCheck {
  const said = form.take("git", isObject, "a mapping with clean, branch or commits_since_start") ?? {};
  const inner = new Form(said, [...form.at, "git"], form.source, form.of);
  const clean = inner.take("clean", isTrue, "true");
  const branch = inner.take("branch", isText, "a branch, or a glob of branches");
  const commits = inner.take("commits_since_start", isCount, "a whole number above 0");
  inner.finish();
  if (Object.keys(said).length === 0) inner.complain([], "git has no conditions");
  return {
    ...named,
    kind: "git",
    ...defined({ clean, branch, commitsSinceStart: commits }),
  };
}

const isName = (value: Json): value is string => typeof value === "string" && /^[\p{L}\p{N}_-]{1,64}$/u.test(value);
const isTrue = (value: Json): value is true => value === true;
const isExit = (value: Json): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
const isArgv = (value: Json): value is readonly [string, ...string[]] =>
  Array.isArray(value) &&
  value.length <= 100 &&
  isText(value[0] ?? null) &&
  value.every((one) => typeof one === "string" && !one.includes("\0"));
const areVariables = (value: Json): value is readonly string[] =>
  Array.isArray(value) &&
  value.length <= 50 &&
  value.every((one) => typeof one === "string" && /^[A-Za-z_]\w{0,99}$/.test(one) && one !== "WAYMARK_CHECK");
const isDuration = (value: Json): value is string => {
  const seconds = secondsIn(value);
  return seconds !== undefined && seconds > 0 && seconds <= 3600;
};
const areFacts = (value: Json): value is Readonly<Record<string, Fact>> =>
  isObject(value) && Object.values(value).every((one) => facts.some((fact) => fact === one));
const arePins = (value: Json): value is readonly string[] =>
  areTexts(value) && value.every((one) => isInside(pinOf(one).file) && (pinOf(one).pointer ?? "/").startsWith("/"));

function pinOf(text: string): Pin {
  const [file = "", pointer] = text.split("#", 2);
  return pointer === undefined ? { file } : { file, pointer };
}
