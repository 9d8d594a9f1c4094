import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesIn } from "./kit-files.ts";
import { provingFiles } from "./proving.ts";
import { withSchema } from "./schema-key.ts";
import type { TestCommand } from "./tests/test-command.ts";

/** The templates that init offers, the first unless another is asked for. */
export const templates = ["story-bot", "test-generation", "blank"] as const;
export type Template = (typeof templates)[number];

/** What a person says to the assistant to begin with a template. */
export const firstWords: Readonly<Record<Template, string>> = {
  "story-bot": `"Start the story bot."`,
  "test-generation": `"Start the workflow test-generation for src/prices.ts." (It calls start_workflow with workflow_type "test-generation" and your file as target_file.)`,
  blank: `"Settle a question of the team."`,
};

/** A file that init lays into a project, by its path from the root. `follows`: as long as nobody touched it, it follows the package. */
export type KitFile = { readonly path: string; readonly text: string; readonly follows?: true };

/** The folder of this package, which holds the templates and the schemas. */
export function packageFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

/** The files of a template, each naming its schema, so that editors check while somebody types; with a command for its tests Waymark runs them. */
export function templateFiles(
  template: Template,
  tests?: TestCommand,
  home: string = packageFolder(),
): readonly KitFile[] {
  const files = new Map(filesIn(join(home, "templates", template)).map((file) => [file.path, file]));
  const proving = tests === undefined ? [] : provingFiles(template, tests, home);
  for (const file of proving) files.set(file.path, { ...file, follows: true });
  return [...files.values()].map((file) => ({
    ...file,
    path: `.waymark/${file.path}`,
    text: withSchema(file.path, file.text),
  }));
}

/** The schemas, for editors that are offline. */
export function schemaFiles(home: string = packageFolder()): readonly KitFile[] {
  return filesIn(join(home, "schemas")).map(({ path, text }) => ({
    path: `.waymark/schemas/${path}`,
    text,
    follows: true,
  }));
}
