import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { definedBots, openWorkplace } from "../compose.ts";
import type { Problem } from "../evidence/problem.ts";
import { type Catalog, generate as generatePackage } from "../generator/generate.ts";
import { installLines, pluginHosts } from "../generator/host-files.ts";
import { defaultName, nameProblem, withoutScope } from "../generator/identity.ts";
import { reportData, reportLines } from "../generator/report.ts";
import { packageFolder } from "../init/kit.ts";
import { listSearchTools } from "../mcp/search-tool.ts";
import { listTools } from "../mcp/tool-catalog.ts";
import { version } from "../version.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { UserFault } from "./fault.ts";
import { paint, print, printJson } from "./print.ts";
import { type PlaceOptions, workplaceFor } from "./workplace.ts";

export type GenerateOptions = Omit<PlaceOptions, "projectArea"> & {
  readonly out?: string;
  readonly name?: string;
  readonly host?: string;
  readonly force?: true;
  readonly json?: true;
};

/** Writes a server package for one bot, and says what came of it. */
export async function generate(bot: string, options: GenerateOptions): Promise<void> {
  const { name, out, force = false } = options;
  const wrong = name === undefined ? undefined : nameProblem(name);
  if (wrong !== undefined) throw new UserFault(`--name ${name} cannot be the name of a package: ${wrong}.`);
  const host = pluginHosts.find((one) => one === options.host);
  if (options.host !== undefined && host === undefined)
    throw new UserFault(`There is no plugin for ${options.host}. There are: ${pluginHosts.join(", ")}.`);
  const { definitions } = workplaceFor(options);
  const source = findSource(bot, definitions);
  const done = await generatePackage({
    bot,
    description: source.tree.description ?? source.tree.goal,
    name,
    definitions,
    parts: partsOf(source, definitions),
    root: resolve(options.root),
    out: resolve(out ?? `${withoutScope(name ?? defaultName(bot))}${host === undefined ? "" : `-${host}`}`),
    host,
    force,
    build: join(packageFolder(), "dist"),
    waymark: version,
    readCatalog: (copy) => readCatalog(copy, source),
    progress: (step) => process.stderr.isTTY && process.stderr.write(paint("dim", `${step}…\n`)),
  }).catch(sayWhichFile);
  if ("refused" in done) throw new UserFault(done.refused);
  if (options.json) printJson(reportData(done));
  else
    print(
      ...reportLines(done),
      ...(host === undefined
        ? []
        : ["", "Install it:", ...installLines(host, done.identity, done.folder, done.replaced)]),
    );
}

type Source = ReturnType<typeof definedBots>["bots"][number];

function findSource(name: string, definitions: string): Source {
  const { bots, closed } = definedBots(definitions);
  const source = bots.find(({ tree }) => tree.name === name);
  if (source === undefined) {
    const known = bots.map(({ tree }) => tree.name).join(", ");
    const there = known === "" ? `There is none in ${definitions}` : `There is: ${known}`;
    throw new UserFault(`There is no bot ${name}. ${there}.`);
  }
  const problems = [...(closed === undefined ? [] : [closed]), ...closedIn(source)];
  if (problems.length === 0) return source;
  const said = [...new Set(problems.map(({ file, message }) => `  ${file}: ${message}`))];
  throw new UserFault(`${name} is closed, and so would its server be. Mend this first:\n${said.join("\n")}`);
}

function closedIn({ tree, workflows }: Source): Problem[] {
  const ofSteps = workflows.flatMap(({ steps }) => steps.flatMap(({ broken, gate }) => [broken, gate?.closed]));
  const all = [tree.broken, ...workflows.map(({ closed }) => closed), ...ofSteps];
  return all.filter((problem) => problem !== undefined);
}

/** The bot's folder, those of the actions it has, those of behaviors that stand elsewhere, and what goes with every bot: settings, approvers, standards. */
function partsOf({ tree, workflows }: Source, definitions: string): string[] {
  const steps = new Set(workflows.flatMap((workflow) => workflow.steps.map(({ name }) => name)));
  const used = tree.actions.filter(({ name, config }) => steps.has(name) || config?.workflow === false);
  const folders = [...used, ...tree.behaviors].flatMap(({ folder }) => folder ?? []);
  const shared = ["config.json", "approvers.json", "standards"].map((name) => join(definitions, name));
  return [tree.folder, ...folders, ...shared];
}

/** Reads a copied bot as its server will: alone. It has to come to the same sequence as where it was copied from. */
async function readCatalog(copy: string, source: Source): Promise<Catalog> {
  const workplace = openWorkplace({ root: dirname(copy), definitions: copy });
  const { bots, problems } = await workplace.bots();
  const tools = [...listTools(bots), ...(await listSearchTools(workplace.standards))];
  workplace.close();
  const [copied, ...others] = definedBots(copy).bots;
  if (bots.length === 0 && copied !== undefined && problems.length > 0) {
    return { refused: problems.map(({ file, message }) => `${file}: ${message}.`).join(" ") };
  }
  if (others.length > 0 || !isDeepStrictEqual(sequenceOf(copied), sequenceOf(source))) {
    throw new Error(`The copy of ${source.tree.name} is another bot than the original. This is a fault of Waymark.`);
  }
  return { tools };
}

function sequenceOf(bot: Source | undefined): readonly [string?, (readonly Workflow[])?, (readonly string[])?] {
  if (bot === undefined) return [];
  const independent = bot.tree.actions.filter(({ config }) => config?.workflow === false).map(({ name }) => name);
  // Where a demand is written says nothing of what it is: the copy stands elsewhere.
  const workflows: readonly Workflow[] = JSON.parse(
    JSON.stringify(bot.workflows, (key, value) => (key === "source" ? undefined : value)),
  );
  return [bot.tree.name, workflows, independent];
}

/** What the disk refuses is the user's to mend; its own message names the file. */
function sayWhichFile(error: unknown): never {
  if (error instanceof Error && "code" in error) throw new UserFault(`Nothing was generated: ${error.message}.`);
  throw error;
}
