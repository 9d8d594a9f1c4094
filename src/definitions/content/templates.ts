import { basename, dirname, extname, join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { isObject, type JsonObject } from "../../kit/json.ts";
import { normalizeName } from "../bots/definition-names.ts";
import { readJson } from "../files/json-file.ts";
import { type LoaderProblem, locateProblem } from "../loader-problem.ts";
import { textIn, textsIn } from "../rules/text-in.ts";
import { listFolder } from "../snapshot/list-folder.ts";
import { isFile } from "../snapshot/read-text-file.ts";
import { findFiles, findFolders, materialName } from "./find-material-files.ts";
import { instructionsIn } from "./instructions.ts";
import { type MaterialPiece, uniquePieces } from "./material-pieces.ts";
import { type MaterialFound, type MaterialSource, unusableFile } from "./material-source.ts";
import { showForm } from "./show-template.ts";

/** Finds the material for all content of a behavior, built and rendered. */
export function findContent(source: MaterialSource): MaterialFound {
  const problems: LoaderProblem[] = [];
  const folders = findFolders(source.definitions, source.behavior.folder, "content");
  return { pieces: [], leads: folders.flatMap((place) => instructionsIn(source, place, problems)), problems };
}

/** Finds the schema or example that a behavior's knowledge follows, with its configs. */
export function findKnowledgeTemplates(source: MaterialSource): MaterialFound {
  const { folder } = source.behavior;
  const inContent = findFolders(source.definitions, folder, "content").flatMap((content) =>
    listFolder(source.definitions, content)
      .folders.filter((name) => !notKnowledge.includes(normalizeName(name)))
      .map((name) => join(content, name)),
  );
  return showAll(source, {
    folders: [
      ...["knowledge_graph", "story_graph"].flatMap((name) => findFolders(source.definitions, folder, name)),
      ...inContent,
    ],
    files: findFiles(source.definitions, folder, [".json", ".md"], ["knowledge_schema", "knowledge_template"]),
    isConfig: (name) => name.startsWith("build"),
  });
}

/** Finds the templates and configs that render a behavior's output. */
export function findRenderTemplates(source: MaterialSource): MaterialFound {
  const { folder } = source.behavior;
  const places = [["templates"], ["content", "templates"], ["render"], ["content", "render"]];
  return showAll(source, {
    folders: places.flatMap((names) => findFolders(source.definitions, folder, ...names)),
    files: [],
    isConfig: (name) => name.startsWith("render"),
  });
}

/** Finds what is kept in sync with other places after rendering. */
export function findSynchronizers(source: MaterialSource): MaterialFound {
  const { folder } = source.behavior;
  const places = [["synchronize"], ["content", "synchronize"]];
  return showAll(source, {
    folders: places.flatMap((names) => findFolders(source.definitions, folder, ...names)),
    files: [],
    isConfig: (name) => name.startsWith("synchron") || name.startsWith("sync"),
  });
}

const notKnowledge = ["render", "synchronize", "templates"];

type TemplateSearch = {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly isConfig: (name: string) => boolean;
};

/** Shows every file of some folders and their `templates`: configs with their templates first, then the rest. */
function showAll(source: MaterialSource, { folders, files, isConfig }: TemplateSearch): MaterialFound {
  const problems: LoaderProblem[] = [];
  const all = [...new Set([...files, ...folders.flatMap((folder) => filesBelow(source.definitions, folder))])];
  const isOne = (path: string): boolean => /\.json$/i.test(path) && isConfig(materialName(path));
  const configs = all.filter(isOne).map((path) => showConfig(source, path, problems));
  const shown = new Set(configs.flatMap((config) => config.templates));
  const forms = all
    .filter((path) => !isOne(path) && !shown.has(path))
    .flatMap((path) => showForm(source, path, problems) ?? []);
  return {
    pieces: uniquePieces([...configs.map(({ piece }) => piece), ...forms]),
    leads: folders.flatMap((place) => instructionsIn(source, place, problems)),
    problems,
  };
}

function filesBelow(definitions: DefinitionSnapshot, folder: string): string[] {
  const { files, folders } = listFolder(definitions, folder);
  const endings = [...new Set(files.map((file) => extname(file).toLowerCase()))];
  return [
    ...findFiles(definitions, folder, endings).filter((path) => materialName(path) !== "instructions"),
    ...folders.flatMap((name) => filesBelow(definitions, join(folder, name))),
  ];
}

/** Shows a config with its instructions and the templates it names. */
function showConfig(
  source: MaterialSource,
  path: string,
  problems: LoaderProblem[],
): { readonly piece: MaterialPiece; readonly templates: readonly string[] } {
  const read = readJson(source.definitions, path);
  if ("malformed" in read) problems.push(unusableFile(source, path, read));
  const config: JsonObject = "value" in read && isObject(read.value) ? read.value : {};
  const { name, instructions, ...rest } = config;
  const title = textIn(name) === "" ? materialName(path) : textIn(name);
  const facts = Object.entries(rest)
    .filter(([key]) => !key.startsWith("$"))
    .map(([key, value]) => `${key.replaceAll("_", " ")}: ${textsIn(value).join(", ")}`);
  const written = [...textsIn(config.template), ...textsIn(config.templates)];
  const found = written.map((template) => ({
    template,
    at: findTemplate(source, path, template, textIn(config.path)),
  }));
  for (const { template, at } of found) if (at === undefined) problems.push(missingTemplate(source, path, template));
  const templates = found.flatMap(({ at }) => at ?? []);
  const forms = templates.flatMap((template) => showForm(source, template, problems)?.text ?? []);
  const text = [`### ${title}`, ...facts.map((fact) => `- ${fact}`), ...textsIn(instructions), ...forms].join("\n");
  return { piece: { name: title, text, brief: facts.slice(0, 3).join("; ").slice(0, 160) }, templates };
}

/** Finds a template relative to the config's folder, its `templates`, the behavior or the bot, never outside the bot. */
function findTemplate(source: MaterialSource, config: string, template: string, way: string): string | undefined {
  const { tree, behavior } = source;
  const from = [
    ...[dirname(config), join(dirname(config), "templates")],
    ...[["content", "render", "templates"], ["render", "templates"], ["templates"]].flatMap((names) =>
      findFolders(source.definitions, behavior.folder, ...names),
    ),
    ...[behavior.folder ?? tree.folder, tree.folder],
  ];
  return from
    .flatMap((folder) => [join(folder, template), join(folder, way, template)])
    .find((path) => isPathInside(tree.folder, path) && isFile(source.definitions, path));
}

function missingTemplate({ definitions }: MaterialSource, config: string, template: string): LoaderProblem {
  return locateProblem(definitions, config, {
    code: "missing-template",
    at: ["template"],
    message: `the template ${basename(template)} does not exist`,
    fix: "Put it beside the config or in its templates folder, or fix its name.",
  });
}
