import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { hosts } from "../../hosts/all-hosts.ts";
import { detectHosts } from "../../hosts/detect-hosts.ts";
import type { Host, HostContext } from "../../hosts/host.ts";
import { applyPlan } from "../../hosts/init/apply.ts";
import { type InitPlan, writesAnything } from "../../hosts/init/change.ts";
import { chooseStart, startRemote } from "../../hosts/init/choose-start.ts";
import { type History, histories } from "../../hosts/init/git-files.ts";
import { hasDefinitions, planInit } from "../../hosts/init/plan.ts";
import { planRemoval } from "../../hosts/init/plan-removal.ts";
import { provingTemplates } from "../../hosts/init/proving-templates.ts";
import { type Template, templates } from "../../hosts/init/template.ts";
import { packageFolder } from "../../hosts/init/template-files.ts";
import { findTests, testsBy } from "../../hosts/init/tests/find-tests.ts";
import { type TestCommand, testTools } from "../../hosts/init/tests/test-command.ts";
import { defined } from "../../kit/defined.ts";
import { newIdentityText } from "../../people/identity-file.ts";
import { remoteUrl } from "../team/remote-url.ts";
import { rootForInit } from "../terminal/find-root.ts";
import { UserError } from "../terminal/user-error.ts";
import { reportInit } from "./init-report.ts";

/** The flags of `init`. */
export type InitOptions = {
  readonly root?: string;
  readonly template?: string;
  readonly client: readonly string[];
  readonly command?: string;
  readonly tests?: string;
  readonly history?: string;
  /** False for `--no-hooks`. */
  readonly hooks?: boolean;
  readonly dryRun?: true;
  readonly remove?: true;
  /** Puts a copy of this Waymark into the project. */
  readonly vendor?: boolean;
  readonly newIdentity?: true;
  /** The team server that hosts are to reach. */
  readonly remote?: string;
  readonly yes?: true;
  readonly json?: true;
};

/** Adds a template to a project and configures the hosts, or removes both again. */
export async function init(options: InitOptions): Promise<void> {
  const asked = hostContextFor(options);
  if (options.newIdentity) return (await import("./new-identity.ts")).separateCopy(asked.root, options);
  const named = hostsNamed(options.client);
  const wish = options.remove ? undefined : await chooseInit(options, asked, named);
  const vendor = options.vendor ?? (wish !== undefined && (await wantsCopy(options, asked, wish)));
  const place = hostContextFor({ ...options, vendor });
  const plan =
    wish === undefined
      ? planRemoval({ ...place, hosts: named ?? hosts, onlyHosts: named !== undefined })
      : planInit({
          ...place,
          ...wish,
          ...historyNamed(options),
          vendor,
          identity: newIdentityText(),
          isRemote: options.remote !== undefined,
          replace: options.command !== undefined || options.remote !== undefined || vendor,
        });
  if ("problem" in plan) throw new UserError(plan.problem);
  if (wish !== undefined && !options.dryRun) await confirmChanges(place.root, wish.asked, plan);
  if (!options.dryRun) {
    const { problem } = applyPlan(plan);
    if (problem !== undefined) throw new UserError(problem);
  }
  const laid = wish?.template === undefined ? {} : { laid: wish.template };
  const { tests: _, ...rest } = options;
  const tests = wish?.tests === undefined ? {} : { tests: wish.tests };
  reportInit(plan, { ...rest, ...place, ...laid, ...tests, hosts: wish?.hosts ?? [] });
}

type InitChoices = {
  readonly template?: Template;
  readonly hosts: readonly Host[];
  readonly asked: boolean;
  readonly tests?: TestCommand;
};

/** Finds the project, and how hosts start Waymark in it. */
export function hostContextFor({
  root: written,
  command,
  hooks,
  remove,
  remote,
  vendor,
}: Omit<InitOptions, "client">): HostContext {
  const root = written === undefined ? rootForInit(process.cwd(), homedir()) : resolve(written);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`--root ${written} is not a folder.`);
  const { execPath: node, platform } = process;
  const script = join(packageFolder(), "dist", "waymark.js");
  const path = process.env.PATH ?? "";
  const here = chooseStart({ root, script, node, platform, path, ...defined({ command, vendor }) });
  const start = remote === undefined ? here : startRemote(here, remoteUrl(remote).href);
  const hasNoHooks = hooks === false || remote !== undefined;
  return { root, home: homedir(), start, ...(hasNoHooks && !remove ? { noHooks: true } : {}) };
}

/** Asks on a terminal what the flags leave open; elsewhere takes the default template and no host. */
async function chooseInit(
  options: InitOptions,
  place: HostContext,
  named: readonly Host[] | undefined,
): Promise<InitChoices> {
  const template = templateNamed(options.template);
  if (options.remote !== undefined) return remoteChoices(options, place, named);
  const isFresh = !hasDefinitions(place.root);
  const found = detectHosts(place.root, place.home, process.env.PATH ?? "");
  const isOpen = named === undefined || (template === undefined && isFresh);
  if (isTerminal(options) && isOpen) {
    const { askForChoices: askForWish, askForTests } = await import("./init-questions.ts");
    const open = { template: template === undefined && isFresh, hosts: named === undefined };
    const answered = await askForWish(open, found);
    const chosen = template ?? answered.template;
    const tests = await testsFor(options, place.root, chosen, askForTests);
    return { ...keptSettings(chosen, tests), hosts: named ?? answered.hosts, asked: true };
  }
  const chosen = template ?? (isFresh ? templates[0] : undefined);
  const tests = await testsFor(options, place.root, chosen, async ([likeliest]) => likeliest);
  return { ...keptSettings(chosen, tests), hosts: named ?? (options.yes ? found : []), asked: false };
}

/** Asks a person who answers questions if the project should get a copy of Waymark, where colleagues would need it otherwise. */
async function wantsCopy(options: InitOptions, { start }: HostContext, wish: InitChoices): Promise<boolean> {
  if (!wish.asked || wish.hosts.length === 0 || start.needs === undefined || options.remote !== undefined) return false;
  return (await import("./init-questions.ts")).askForCopy();
}

/** With a team server the definitions are there, so only hosts are chosen. */
async function remoteChoices(
  options: InitOptions,
  place: HostContext,
  named: readonly Host[] | undefined,
): Promise<InitChoices> {
  if (options.template !== undefined)
    throw new UserError("--template needs no --remote: the definitions are on the team server.");
  const found = detectHosts(place.root, place.home, process.env.PATH ?? "");
  if (named !== undefined || !isTerminal(options)) return { hosts: named ?? (options.yes ? found : []), asked: false };
  const { askForChoices: askForWish } = await import("./init-questions.ts");
  return { hosts: (await askForWish({ template: false, hosts: true }, found)).hosts, asked: true };
}

function keptSettings(
  template: Template | undefined,
  tests: TestCommand | undefined,
): Pick<InitChoices, "template" | "tests"> {
  return { ...defined({ template, tests }) };
}

/** Picks the test command for a template that runs tests: the named tool, or one found here. */
async function testsFor(
  { tests: name }: InitOptions,
  root: string,
  template: Template | undefined,
  choose: (found: readonly TestCommand[]) => Promise<TestCommand | undefined>,
): Promise<TestCommand | undefined> {
  const path = process.env.PATH ?? "";
  const tool = testTools.find((candidate) => candidate === name);
  if (name !== undefined && name !== "none" && tool === undefined)
    throw new UserError(`Unknown test tool ${name}. Use one of: ${testTools.join(", ")}, none.`);
  if (template === undefined || !provingTemplates.includes(template) || name === "none") return undefined;
  if (tool === undefined) return choose(findTests(root, path));
  const found = testsBy(tool, root, path);
  if (found !== undefined) return found;
  throw new UserError(
    tool === "pytest"
      ? "pytest is not set up here. Add it to pyproject.toml or requirements.txt, or add a pytest.ini."
      : `package.json has no known test runner. Add vitest, jest or node --test, as a package or in the script "test".`,
  );
}

function isTerminal({ yes, json }: InitOptions): boolean {
  return !yes && !json && process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Shows a person who was asked what will be written, before it is. */
async function confirmChanges(root: string, asked: boolean, { changes }: InitPlan): Promise<void> {
  const work = changes.filter(writesAnything);
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
  throw new UserError(`Unknown template ${name}. Use one of: ${templates.join(", ")}.`);
}

function historyNamed({ history: name }: InitOptions): { readonly history?: History } {
  if (name === undefined) return {};
  const history = histories.find((candidate) => candidate === name);
  if (history !== undefined) return { history };
  throw new UserError(`Unknown history ${name}. Use one of: ${histories.join(", ")}.`);
}

function hostsNamed(clients: readonly string[]): readonly Host[] | undefined {
  const names = clients.flatMap((client) => client.split(",")).map((name) => name.trim().toLowerCase());
  if (names.length === 0) return undefined;
  if (names.includes("all")) return hosts;
  return [...new Set(names)].map((name) => {
    const host = hosts.find(({ id }) => id === name);
    if (host !== undefined) return host;
    throw new UserError(`Unknown client ${name}. Use one of: ${hosts.map(({ id }) => id).join(", ")}, all.`);
  });
}
