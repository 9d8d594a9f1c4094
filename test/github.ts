import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { parse } from "yaml";
import type { Ended } from "./command-line.ts";
import { git } from "./repository.ts";

/** A step of a job or of a composite action. */
type Step = {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
};

type Action = {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
};

/** A job, and the repository and event that it is started by. */
export type JobRun = {
  readonly steps: readonly Step[];
  readonly repository: string;
  readonly github: Readonly<Record<string, string>>;
  /** Inputs that the test gives the action besides those of the job. */
  readonly given?: Readonly<Record<string, string>>;
};

const home = join(import.meta.dirname, "..");

/** Runs a job in clean folders as a runner of such actions does: the checkouts, then our action's steps; stops at the first that fails. */
export async function runJob({ steps, repository, github, given = {} }: JobRun): Promise<Ended & { summary: string }> {
  const runner = mkdtempSync(join(tmpdir(), "waymark-runner-"));
  onTestFinished(() => rmSync(runner, { recursive: true, force: true }));
  const [workspace, temp] = ["work", "temp"].map((name) => mkdtempSync(join(runner, `${name}-`)));
  const machine = { workspace: workspace ?? "", temp: temp ?? "", runner };
  let done: Ended & { summary: string } = { code: 0, stdout: "", stderr: "", summary: "" };
  for (const step of steps) {
    const inputs = Object.fromEntries(
      Object.entries(step.with ?? {}).map(([name, value]) => [name, filled(String(value), { github })]),
    );
    if (step.uses?.startsWith("actions/checkout@")) checkOut(repository, machine.workspace, inputs);
    else if (step.uses?.includes("/waymark@")) done = await runAction({ ...inputs, ...given }, { github, ...machine });
    else if (step.run !== undefined) done = { ...done, ...(await bash(step, machine.workspace, {})) };
    else throw new Error(`This runner knows no ${step.uses}.`);
    if (done.code !== 0) return done;
  }
  return done;
}

type Inputs = Readonly<Record<string, string>>;

/** A checkout with all branches, as `fetch-depth: 0` makes it. */
function checkOut(repository: string, workspace: string, { path = ".", ref = "HEAD", ...inputs }: Inputs): void {
  expect(inputs).toMatchObject({ "fetch-depth": "0", "persist-credentials": "false" });
  const folder = join(workspace, path);
  git(workspace, "clone", "-q", "--no-checkout", repository, path);
  git(folder, "fetch", "-q", "origin", ref);
  git(folder, "checkout", "-q", "--detach", "FETCH_HEAD");
  git(folder, "branch", "-q", "-D", git(folder, "for-each-ref", "--format=%(refname:short)", "refs/heads").trim());
}

type Machine = { readonly workspace: string; readonly temp: string; readonly runner: string };

async function runAction(
  inputs: Inputs,
  { github, workspace, temp, runner }: Machine & { readonly github: Inputs },
): Promise<Ended & { summary: string }> {
  const action: Action = parse(readFileSync(join(home, "action.yml"), "utf8"));
  expect(action.runs.using).toBe("composite");
  for (const name of Object.keys(inputs)) expect(Object.keys(action.inputs)).toContain(name);
  const values = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: text = "" }]) => [
      name,
      inputs[name] ?? filled(text, { github }),
    ]),
  );
  for (const [name, { required }] of Object.entries(action.inputs))
    if (required) expect(values[name], name).not.toBe("");
  const outputs: Record<string, string> = {};
  let all: Ended & { summary: string } = { code: 0, stdout: "", stderr: "", summary: "" };
  for (const step of action.runs.steps) {
    const files = ["output", "summary"].map((name) => join(runner, `${name}-${Object.keys(outputs).length}`));
    for (const file of files) writeFileSync(file, "");
    const [output = "", summary = ""] = files;
    const known = { inputs: values, github: { ...github, action_path: home }, runner: { temp }, outputs };
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text, known)]));
    const own = { GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, XDG_STATE_HOME: join(runner, "state") };
    const ended = await bash(step, workspace, { ...env, ...own });
    for (const line of readFileSync(output, "utf8").split("\n"))
      if (line.includes("="))
        outputs[`${step.id}.${line.slice(0, line.indexOf("="))}`] = line.slice(line.indexOf("=") + 1);
    all = {
      code: ended.code,
      stdout: all.stdout + ended.stdout,
      stderr: all.stderr + ended.stderr,
      summary: all.summary + readFileSync(summary, "utf8"),
    };
    if (ended.code !== 0) return all;
  }
  return all;
}

type Known = {
  readonly github: Inputs;
  readonly inputs?: Inputs;
  readonly runner?: Inputs;
  readonly outputs?: Inputs;
};

/** Fills in the expressions of a text; one that this runner does not know is a mistake. */
function filled(text: string, { github, inputs = {}, runner = {}, outputs = {} }: Known): string {
  return text.replaceAll(/\$\{\{ *([\w.-]+) *\}\}/g, (_, name: string) => {
    const [space = "", ...rest] = name.split(".");
    const own = { github, inputs, runner }[space]?.[rest.join(".")];
    const value = space === "steps" ? outputs[`${rest[0]}.${rest[2]}`] : own;
    if (value === undefined) throw new Error(`Nothing is known of ${name}.`);
    return value;
  });
}

/** Runs a step's script as a runner does; somebody's text must reach it by the environment alone. */
function bash({ run = "", shell = "bash" }: Step, cwd: string, env: Inputs): Promise<Ended> {
  expect(run).not.toContain("${{");
  expect(shell).toBe("bash");
  const { PATH = "", HOME = "", TMPDIR = tmpdir() } = process.env;
  const options = { cwd, env: { PATH, HOME, TMPDIR, ...env } };
  return new Promise((resolve) => {
    execFile("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
