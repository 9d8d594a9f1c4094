import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesIn } from "./files-in.ts";
import { vendorFolder } from "./installation.ts";
import { provingFiles } from "./proving-templates.ts";
import { withSchema } from "./schema-key.ts";
import type { KitFile, Template } from "./template.ts";
import type { TestCommand } from "./tests/test-command.ts";

/** The sentence that starts each template in an assistant. */
export const startSentences: Readonly<Record<Template, string>> = {
  "story-bot": `"Start the story bot."`,
  "test-generation": `"Start the workflow test-generation for src/prices.ts." (It calls start_workflow with workflow_type "test-generation" and your file as target_file.)`,
  "bug-fix": `"Start the workflow bug-fix for this report: …" (It calls start_workflow with workflow_type "bug-fix" and the report in inputs.)`,
  "spec-driven": `"Start the workflow spec-driven for this feature: …" (It calls start_workflow with workflow_type "spec-driven" and the feature in inputs.)`,
  blank: `"Settle a question for the team."`,
};

/** The folder of this package, which contains templates and schemas. */
export function packageFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

/** The files of a template, each naming its schema for editors; with a test command Waymark runs the tests. */
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

/** A copy of this package for a project that keeps it in git: what runs, and what init needs. */
export function vendorFiles(home: string = packageFolder()): readonly KitFile[] {
  const parts = ["dist", "schemas", "templates"].flatMap((part) =>
    filesIn(join(home, part)).map(({ path, text }) => ({ path: `${part}/${path}`, text })),
  );
  const single = ["LICENSE", "package.json"].map((path) => ({ path, text: readFileSync(join(home, path), "utf8") }));
  // Projects ignore folders named dist; this copy belongs to git whole.
  const ours = [{ path: ".gitignore", text: "!*\n" }, ...single, ...parts];
  return ours
    .filter(({ path }) => !path.startsWith("dist/types/"))
    .map(({ path, text }) => ({ path: `${vendorFolder}/${path}`, text, follows: true }));
}
