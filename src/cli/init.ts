import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { foundHosts } from "../hosts/found.ts";
import type { Host, Place } from "../hosts/host.ts";
import { hosts } from "../hosts/hosts.ts";
import { applyPlan } from "../init/apply.ts";
import { isWork, type Plan } from "../init/change.ts";
import { type History, histories } from "../init/git-files.ts";
import { packageFolder, type Template, templates } from "../init/kit.ts";
import { hasDefinitions, planInit } from "../init/plan.ts";
import { planRemoval } from "../init/plan-removal.ts";
import { provingTemplates } from "../init/proving.ts";
import { startFor } from "../init/start.ts";
import { findTests, testsBy } from "../init/tests/find-tests.ts";
import { type TestCommand, testTools } from "../init/tests/test-command.ts";
import { UserFault } from "./fault.ts";
import { rootToSetUp } from "./find-root.ts";
import { reportInit } from "./init-report.ts";

/** The flags of `init`. */
export type InitOptions = {
  readonly root?: string;
  readonly template?: string;
  readonly client: readonly string[];
  readonly command?: string;
  readonly tests?: string;
  readonly history?: string;
  /** False where no hooks are wanted. */
  readonly hooks?: boolean;
  readonly dryRun?: true;
  readonly remove?: true;
  readonly yes?: true;
  readonly json?: true;
};

/** Lays a template into a project and tells the hosts about it; or takes all that back. */
export async function init(options: InitOptions): Promise<void> {
  const place = placeOf(options);
  const named = hostsNamed(options.client);
  const wish = options.remove ? undefined : await wishOf(options, place, named);
  const plan =
    wish === undefined
      ? planRemoval({ ...place, hosts: named ?? hosts, onlyHosts: named !== undefined })
      : planInit({ ...place, ...wish, ...historyNamed(options), replace: options.command !== undefined });
  if ("problem" in plan) throw new UserFault(plan.problem);
  if (wish !== undefined && !options.dryRun) await agree(place.root, wish.asked, plan);
  if (!options.dryRun) {
    const { problem } = applyPlan(plan);
    if (problem !== undefined) throw new UserFault(problem);
  }
  const laid = wish?.template === undefined ? {} : { laid: wish.template };
  const { tests: _, ...rest } = options;
  const tests = wish?.tests === undefined ? {} : { tests: wish.tests };
  reportInit(plan, { ...rest, ...place, ...laid, ...tests, hosts: wish?.hosts ?? [] });
}

type Wished = {
  readonly template?: Template;
  readonly hosts: readonly Host[];
  readonly asked: boolean;
  readonly tests?: TestCommand;
};

function placeOf({ root: written, command, hooks, remove }: InitOptions): Place {
  const root = written === undefined ? rootToSetUp(process.cwd(), homedir()) : resolve(written);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new UserFault(`--root ${written} is not a folder.`);
  const { execPath: node, platform } = process;
  const script = join(packageFolder(), "dist", "waymark.js");
  const path = process.env.PATH ?? "";
  const start = startFor({ root, script, node, platform, path, ...(command === undefined ? {} : { command }) });
  return { root, home: homedir(), start, ...(hooks === false && !remove ? { noHooks: true } : {}) };
}

/** What the flags leave open is asked on a terminal; elsewhere it is the template, and no host. */
async function wishOf(options: InitOptions, place: Place, named: readonly Host[] | undefined): Promise<Wished> {
  const template = templateNamed(options.template);
  const isFresh = !hasDefinitions(place.root);
  const found = foundHosts(place.root, place.home, process.env.PATH ?? "");
  const isOpen = named === undefined || (template === undefined && isFresh);
  if (isTerminal(options) && isOpen) {
    const { askForWish, askForTests } = await import("./init-questions.ts");
    const open = { template: template === undefined && isFresh, hosts: named === undefined };
    const answered = await askForWish(open, found);
    const chosen = template ?? answered.template;
    const tests = await testsFor(options, place.root, chosen, askForTests);
    return { ...kept(chosen, tests), hosts: named ?? answered.hosts, asked: true };
  }
  const chosen = template ?? (isFresh ? templates[0] : undefined);
  const tests = await testsFor(options, place.root, chosen, async ([likeliest]) => likeliest);
  return { ...kept(chosen, tests), hosts: named ?? (options.yes ? found : []), asked: false };
}

function kept(template: Template | undefined, tests: TestCommand | undefined): Pick<Wished, "template" | "tests"> {
  return { ...(template === undefined ? {} : { template }), ...(tests === undefined ? {} : { tests }) };
}

/** How Waymark runs the tests where the template has it do so: as it is named, else one of those that are found here. */
async function testsFor(
  { tests: name }: InitOptions,
  root: string,
  template: Template | undefined,
  choose: (found: readonly TestCommand[]) => Promise<TestCommand | undefined>,
): Promise<TestCommand | undefined> {
  const path = process.env.PATH ?? "";
  const tool = testTools.find((candidate) => candidate === name);
  if (name !== undefined && name !== "none" && tool === undefined)
    throw new UserFault(`There is no tool ${name} for tests. There are: ${testTools.join(", ")}, or none.`);
  if (template === undefined || !provingTemplates.includes(template) || name === "none") return undefined;
  if (tool === undefined) return choose(findTests(root, path));
  const found = testsBy(tool, root, path);
  if (found !== undefined) return found;
  throw new UserFault(
    tool === "pytest"
      ? "Nothing here speaks of pytest: add it to pyproject.toml or requirements.txt, or a pytest.ini."
      : `package.json names no runner that is known: vitest, jest or node --test, as a package or in the script "test".`,
  );
}

function isTerminal({ yes, json }: InitOptions): boolean {
  return !yes && !json && process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Somebody who was asked sees what will be written before it is. */
async function agree(root: string, asked: boolean, { changes }: Plan): Promise<void> {
  const work = changes.filter(isWork);
  if (!asked || work.length === 0) return;
  const { askToWrite } = await import("./init-questions.ts");
  await askToWrite(
    work.map(({ path }) => path),
    root,
  );
}

function templateNamed(name: string | undefined): Template | undefined {
  if (name === undefined) return undefined;
  const template = templates.find((candidate) => candidate === name);
  if (template !== undefined) return template;
  throw new UserFault(`There is no template ${name}. There are: ${templates.join(", ")}.`);
}

function historyNamed({ history: name }: InitOptions): { readonly history?: History } {
  if (name === undefined) return {};
  const history = histories.find((candidate) => candidate === name);
  if (history !== undefined) return { history };
  throw new UserFault(`There is no history ${name}. There are: ${histories.join(", ")}.`);
}

function hostsNamed(clients: readonly string[]): readonly Host[] | undefined {
  const names = clients.flatMap((client) => client.split(",")).map((name) => name.trim().toLowerCase());
  if (names.length === 0) return undefined;
  if (names.includes("all")) return hosts;
  return [...new Set(names)].map((name) => {
    const host = hosts.find(({ id }) => id === name);
    if (host !== undefined) return host;
    throw new UserFault(`There is no client ${name}. There are: ${hosts.map(({ id }) => id).join(", ")}, or all.`);
  });
}
