import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { withSchema } from "./schema-key.ts";

/** The templates that init offers, the first unless another is asked for. */
export const templates = ["story-bot", "test-generation", "blank"] as const;
export type Template = (typeof templates)[number];

/** What a person says to the assistant to begin with a template. */
export const firstWords: Readonly<Record<Template, string>> = {
  "story-bot": `"Start the story bot."`,
  "test-generation": `"Start the workflow test-generation for src/prices.ts." (It calls start_workflow with workflow_type "test-generation" and your file as target_file.)`,
  blank: `"Settle a question of the team."`,
};

/** A file that init lays into a project, by its path from the root. */
export type KitFile = { readonly path: string; readonly text: string };

/** The folder of this package, which holds the templates and the schemas. */
export function packageFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

/** The files of a template, each naming its schema, so that editors check while somebody types. */
export function templateFiles(template: Template, home: string = packageFolder()): readonly KitFile[] {
  return filesIn(join(home, "templates", template)).map(({ path, text }) => ({
    path: `.waymark/${path}`,
    text: withSchema(path, text),
  }));
}

/** The schemas, for editors that are offline. */
export function schemaFiles(home: string = packageFolder()): readonly KitFile[] {
  return filesIn(join(home, "schemas")).map(({ path, text }) => ({ path: `.waymark/schemas/${path}`, text }));
}

function filesIn(folder: string): KitFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: relative(folder, path).split(sep).join("/"), text: readFileSync(path, "utf8") }));
}
