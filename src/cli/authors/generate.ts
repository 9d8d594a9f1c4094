import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { workflowsCalledBy } from "../../app/called-places.ts";
import { definedBots, openWorkplace } from "../../app/open-workplace.ts";
import type { Problem } from "../../gates/problem.ts";
import { type Catalog, generate as generatePackage } from "../../generator/generate-package.ts";
import { reportData, reportLines } from "../../generator/generate-report.ts";
import { installLines, pluginHosts } from "../../generator/host-files.ts";
import { defaultName, nameProblem, withoutScope } from "../../generator/package-identity.ts";
import { packageFolder } from "../../hosts/init/template-files.ts";
import { listTools } from "../../mcp/registry.ts";
import { version } from "../../version.ts";
import { judgedByHash } from "../../workflow/judged-by-hash.ts";
import { paint, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import { type PlaceOptions, workplaceFor } from "../terminal/workplace-options.ts";

export type GenerateOptions = Omit<PlaceOptions, "projectArea"> & {
  readonly out?: string;
  readonly name?: string;
  readonly host?: string;
  readonly force?: true;
  readonly json?: true;
};

/** Generates a server package for one bot and prints the result. */
export async function generate(bot: string, options: GenerateOptions): Promise<void> {
  const { name, out, force = false } = options;
  const wrong = name === undefined ? undefined : nameProblem(name);
  if (wrong !== undefined) throw new UserError(`--name ${name} is not a valid package name: ${wrong}.`);
  const host = pluginHosts.find((one) => one === options.host);
  if (options.host !== undefined && host === undefined)
    throw new UserError(`There is no plugin for ${options.host}. Use one of: ${pluginHosts.join(", ")}.`);
  const { definitions } = workplaceFor(options);
  const source = await findBotSource(bot, definitions);
  const done = await generatePackage({
    bot,
    description: source.tree.description ?? source.tree.goal,
    name,
    definitions,
    parts: foldersToCopy(source, definitions),
    root: resolve(options.root),
    out: resolve(out ?? `${withoutScope(name ?? defaultName(bot))}${host === undefined ? "" : `-${host}`}`),
    host,
    force,
    build: join(packageFolder(), "dist"),
    waymark: version,
    readCatalog: (copy) => readCatalog(copy, source),
    progress: (step) => process.stderr.isTTY && process.stderr.write(paint("dim", `${step}…\n`)),
  }).catch(throwDiskError);
  if ("refused" in done) throw new UserError(done.refused);
  if (options.json) printJson(reportData(done));
  else
    print(
      ...reportLines(done),
      ...(host === undefined
        ? []
        : ["", "Install it:", ...installLines(host, done.identity, done.folder, done.replaced)]),
    );
}

type Source = Awaited<ReturnType<typeof definedBots>>["bots"][number];

async function findBotSource(name: string, definitions: string): Promise<Source> {
  const { bots, closed } = await definedBots(definitions);
  const source = bots.find(({ tree }) => tree.name === name);
  if (source === undefined) {
    const known = bots.map(({ tree }) => tree.name).join(", ");
    const there = known === "" ? `There are no bots in ${definitions}` : `Bots: ${known}`;
    throw new UserError(`There is no bot ${name}. ${there}.`);
  }
  const problems = [...(closed === undefined ? [] : [closed]), ...definitionProblems(source)];
  if (problems.length === 0) return source;
  const said = [...new Set(problems.map(({ file, message }) => `  ${file}: ${message}`))];
  throw new UserError(`${name} can't start until this is fixed, and neither could its server:\n${said.join("\n")}`);
}

function definitionProblems({ tree, workflows }: Source): Problem[] {
  const ofSteps = workflows.flatMap(({ steps }) => steps.flatMap(({ broken, gate }) => [broken, gate?.closed]));
  const all = [tree.broken, ...workflows.map(({ closed }) => closed), ...ofSteps];
  return all.filter((problem) => problem !== undefined);
}

/** Lists the folders to copy: the bot, its actions and behaviors, the workflows they call, and the shared settings, approvers and standards. */
function foldersToCopy(source: Source, definitions: string): string[] {
  const { tree, workflows } = source;
  const steps = new Set(workflows.flatMap((workflow) => workflow.steps.map(({ name }) => name)));
  const used = tree.actions.filter(({ name, config }) => steps.has(name) || config?.workflow === false);
  const folders = [...used, ...tree.behaviors].flatMap(({ folder }) => folder ?? []);
  const shared = ["config.json", "approvers.json", "standards"].map((name) => join(definitions, name));
  return [tree.folder, ...folders, ...workflowsCalledBy(source), ...shared];
}

/** Reads the copied bot alone, as its server will, and requires the same sequence as the original. */
async function readCatalog(copy: string, source: Source): Promise<Catalog> {
  const workplace = openWorkplace({ root: dirname(copy), definitions: copy });
  const { bots, problems } = await workplace.bots();
  const tools = await listTools(workplace);
  workplace.close();
  const [copied, ...others] = (await definedBots(copy)).bots;
  if (bots.length === 0 && copied !== undefined && problems.length > 0) {
    return { refused: problems.map(({ file, message }) => `${file}: ${message}.`).join(" ") };
  }
  if (others.length > 0 || !isDeepStrictEqual(sequenceOf(copied), sequenceOf(source))) {
    throw new Error(`The copy of ${source.tree.name} differs from the original. This is a bug in Waymark.`);
  }
  return { tools };
}

/** The meaning of a bot's steps, in which the folder it was read from has no part. */
function sequenceOf(bot: Source | undefined): unknown {
  if (bot === undefined) return undefined;
  const { tree, workflows } = bot;
  const independent = tree.actions.filter(({ config }) => config?.workflow === false).map(({ name }) => name);
  const meanings = workflows.map((workflow) => ({
    name: workflow.name,
    steps: workflow.steps.map((step) => [
      step.name,
      judgedByHash(step, workflow, { settings: "", ordered: false, workflows }),
    ]),
  }));
  return { name: tree.name, meanings, independent };
}

/** Turns a disk error into a user error; its message names the file. */
function throwDiskError(error: unknown): never {
  if (error instanceof Error && "code" in error) throw new UserError(`Nothing was generated: ${error.message}.`);
  throw error;
}
