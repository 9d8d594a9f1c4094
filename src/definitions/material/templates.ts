import { basename, dirname, extname, join } from "node:path";
import { isObject, type JsonObject } from "../../evidence/json.ts";
import { liesIn } from "../../paths/lies-in.ts";
import { asName } from "../bots/names.ts";
import { definitionsOf } from "../bots/place.ts";
import { listFolder } from "../folder.ts";
import { readJson } from "../json-file.ts";
import { lookAt } from "../live-file.ts";
import { type Flaw, flawIn } from "../problem.ts";
import { textOf, textsOf } from "../rules/text-of.ts";
import { findFiles, findFolders, nameOf } from "./find-files.ts";
import { showForm } from "./forms.ts";
import { type Found, type Source, unusableIn } from "./found.ts";
import { instructionsIn } from "./instructions.ts";
import { named, type Piece } from "./pieces.ts";

/** What holds for all the content of a behavior: what is built and what is rendered. */
export function findContent(source: Source): Found {
  const problems: Flaw[] = [];
  const folders = findFolders(source.behavior.folder, "content");
  return { pieces: [], leads: folders.flatMap((place) => instructionsIn(source, place, problems)), problems };
}

/** The schema or example that the knowledge of a behavior is built to, with the configs that say how. */
export function findKnowledgeTemplates(source: Source): Found {
  const { folder } = source.behavior;
  const inContent = findFolders(folder, "content").flatMap((content) =>
    listFolder(content)
      .folders.filter((name) => !notKnowledge.includes(asName(name)))
      .map((name) => join(content, name)),
  );
  return showAll(source, {
    folders: [...["knowledge_graph", "story_graph"].flatMap((name) => findFolders(folder, name)), ...inContent],
    files: findFiles(folder, [".json", ".md"], ["knowledge_schema", "knowledge_template"]),
    isConfig: (name) => name.startsWith("build"),
  });
}

/** The templates and configs that a behavior's output is rendered with. */
export function findRenderTemplates(source: Source): Found {
  const { folder } = source.behavior;
  const places = [["templates"], ["content", "templates"], ["render"], ["content", "render"]];
  return showAll(source, {
    folders: places.flatMap((names) => findFolders(folder, ...names)),
    files: [],
    isConfig: (name) => name.startsWith("render"),
  });
}

/** What is kept in step with other places after it is rendered. */
export function findSynchronizers(source: Source): Found {
  const { folder } = source.behavior;
  const places = [["synchronize"], ["content", "synchronize"]];
  return showAll(source, {
    folders: places.flatMap((names) => findFolders(folder, ...names)),
    files: [],
    isConfig: (name) => name.startsWith("synchron") || name.startsWith("sync"),
  });
}

const notKnowledge = ["render", "synchronize", "templates"];

type Wanted = {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly isConfig: (name: string) => boolean;
};

/** Shows every file of some folders, those in `templates` below them too: configs with the templates they name, then the rest. */
function showAll(source: Source, { folders, files, isConfig }: Wanted): Found {
  const problems: Flaw[] = [];
  const all = [...new Set([...files, ...folders.flatMap(filesBelow)])];
  const isOne = (path: string): boolean => /\.json$/i.test(path) && isConfig(nameOf(path));
  const configs = all.filter(isOne).map((path) => showConfig(source, path, problems));
  const shown = new Set(configs.flatMap((config) => config.templates));
  const forms = all
    .filter((path) => !isOne(path) && !shown.has(path))
    .flatMap((path) => showForm(source, path, problems) ?? []);
  return {
    pieces: named([...configs.map(({ piece }) => piece), ...forms]),
    leads: folders.flatMap((place) => instructionsIn(source, place, problems)),
    problems,
  };
}

function filesBelow(folder: string): string[] {
  const { files, folders } = listFolder(folder);
  const endings = [...new Set(files.map((file) => extname(file).toLowerCase()))];
  return [
    ...findFiles(folder, endings).filter((path) => nameOf(path) !== "instructions"),
    ...folders.flatMap((name) => filesBelow(join(folder, name))),
  ];
}

/** A config in words, its instructions, and the templates that it names. */
function showConfig(
  source: Source,
  path: string,
  problems: Flaw[],
): { readonly piece: Piece; readonly templates: readonly string[] } {
  const read = readJson(path);
  if ("malformed" in read) problems.push(unusableIn(source, path, read));
  const config: JsonObject = "value" in read && isObject(read.value) ? read.value : {};
  const { name, instructions, ...rest } = config;
  const title = textOf(name) === "" ? nameOf(path) : textOf(name);
  const facts = Object.entries(rest)
    .filter(([key]) => !key.startsWith("$"))
    .map(([key, value]) => `${key.replaceAll("_", " ")}: ${textsOf(value).join(", ")}`);
  const written = [...textsOf(config.template), ...textsOf(config.templates)];
  const found = written.map((template) => ({
    template,
    at: findTemplate(source, path, template, textOf(config.path)),
  }));
  for (const { template, at } of found) if (at === undefined) problems.push(missingTemplate(source, path, template));
  const templates = found.flatMap(({ at }) => at ?? []);
  const forms = templates.flatMap((template) => showForm(source, template, problems)?.text ?? []);
  const text = [`### ${title}`, ...facts.map((fact) => `- ${fact}`), ...textsOf(instructions), ...forms].join("\n");
  return { piece: { name: title, text, brief: facts.slice(0, 3).join("; ").slice(0, 160) }, templates };
}

/** A template is named from the config's folder, its `templates`, the behavior or the bot; never from outside the bot. */
function findTemplate(source: Source, config: string, template: string, way: string): string | undefined {
  const { tree, behavior } = source;
  const from = [
    ...[dirname(config), join(dirname(config), "templates")],
    ...[["content", "render", "templates"], ["render", "templates"], ["templates"]].flatMap((names) =>
      findFolders(behavior.folder, ...names),
    ),
    ...[behavior.folder ?? tree.folder, tree.folder],
  ];
  return from
    .flatMap((folder) => [join(folder, template), join(folder, way, template)])
    .find((path) => liesIn(tree.folder, path) && isFile(path));
}

function isFile(path: string): boolean {
  try {
    return lookAt(path)?.isFile() ?? false;
  } catch {
    return false;
  }
}

function missingTemplate({ tree }: Source, config: string, template: string): Flaw {
  return flawIn(definitionsOf(tree), config, {
    code: "missing-template",
    at: ["template"],
    message: `the template ${basename(template)} is not there`,
    fix: "Put it beside the config or into its folder templates, or mend its name.",
  });
}
