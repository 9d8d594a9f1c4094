import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Schema, Validator } from "@cfworker/json-schema";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { reportFormats } from "../../src/gates/check.ts";
import { templates } from "../../src/hosts/init/template.ts";
import { schemaFiles, templateFiles } from "../../src/hosts/init/template-files.ts";

const schemas = new Map(
  schemaFiles().map(({ path, text }) => [path, new Validator(JSON.parse(text) as Schema, "7", false)]),
);
const problemsOf = (name: string, value: unknown): string[] =>
  validatorOf(`.waymark/schemas/${name}.schema.json`)
    .validate(value)
    .errors.map(({ error }) => error);

describe.each(templates)("the template %s", (template) => {
  test("has a config to every schema that its configs name, and keeps to it", () => {
    const tests = { tool: "npm", run: ["npm", "test"], reports: [], pins: [] } as const;
    const files = [...templateFiles(template), ...templateFiles(template, tests)];
    const named = files.flatMap(({ path, text }) => {
      const schema = /\$schema["=: ]+([^"\s]+)/.exec(text)?.[1];
      return schema?.includes(".schema.json") ? [{ path, text, schema: schemaPath(path, schema) }] : [];
    });
    for (const { path, text, schema } of named) {
      const value: unknown = path.endsWith(".yaml") ? parseYaml(text) : JSON.parse(text);
      expect(validatorOf(schema).validate(value).errors, path).toEqual([]);
    }
    const unnamed = files.filter(({ path }) => isConfig(path) && !named.some((file) => file.path === path));
    expect(unnamed.map(({ path }) => path)).toEqual([]);
  });
});

test("the schemas know what docs/bots.md and docs/checks.md show", () => {
  const docs = ["bots", "checks"]
    .map((name) => readFileSync(resolve(import.meta.dirname, `../../docs/${name}.md`), "utf8"))
    .join("\n");
  const blocks = [...docs.matchAll(/```(json|yaml)\n(.*?)```/gs)].map(([, kind, text = ""]) =>
    kind === "yaml" ? parseYaml(text) : JSON.parse(text),
  );
  for (const block of blocks) expect(problemsOf(kindOf(block), block), JSON.stringify(block)).toEqual([]);
  expect(blocks.length).toBeGreaterThanOrEqual(5);
});

test("an editor is told of a misspelt key, a wrong value and what is left out", () => {
  expect(problemsOf("action_config", { name: "a", nextaction: "b" })).not.toEqual([]);
  expect(problemsOf("bot_config", { name: "a" })).not.toEqual([]);
  expect(problemsOf("behavior", { actions: [{ skip: "why" }] })).not.toEqual([]);
  expect(problemsOf("config", { behaviors: "sorted" })).not.toEqual([]);
  expect(problemsOf("gate-definition", { evidence_schema: { a: { type: "text" } } })).not.toEqual([]);
  expect(problemsOf("gate-definition", { evidnce: {} })).not.toEqual([]);
  expect(problemsOf("rule", { description: "x", checks: [{ type: "must_match" }] })).not.toEqual([]);
  expect(problemsOf("rule", { description: "x", checks: [{ type: "max_length", lines: 3 }] })).toEqual([]);
  expect(problemsOf("rule", { rules: [{ description: "x" }, { nmae: "y" }] })).not.toEqual([]);
});

test("the schema and docs/checks.md know every report format", () => {
  const docs = readFileSync(resolve(import.meta.dirname, "../../docs/checks.md"), "utf8");
  for (const format of reportFormats) {
    const report = { format, path: "reports/a" };
    const gate = (of: unknown): object => ({ checks: [{ name: "a", run: ["a"], report: of }] });
    expect(problemsOf("gate-definition", gate(report)), format).toEqual([]);
    expect(problemsOf("gate-definition", gate([report])), format).toEqual([]);
    expect(docs).toContain(`\`${format}\``);
  }
});

test("the demonstration keeps to the schemas", () => {
  const folder = join(import.meta.dirname, "../../examples/demo/project/.waymark");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(isConfig);
  for (const file of files) {
    const value: unknown = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const kind = file.includes("/rules/") ? "rule" : (/(\w+)\.json$/.exec(file)?.[1] ?? "");
    expect(problemsOf(kind, value), file).toEqual([]);
  }
  expect(files.length).toBeGreaterThan(5);
});

function validatorOf(path: string): Validator {
  const found = schemas.get(path);
  if (found === undefined) throw new Error(`there is no schema ${path}`);
  return found;
}

function schemaPath(path: string, schema: string): string {
  return resolve("/", path, "..", schema).slice(1);
}

function isConfig(path: string): boolean {
  const isRule = /\/rules\/[^/]+\.json$/.test(path) && !path.includes("schema");
  return isRule || /(action_config|bot_config|behavior)\.json$|gate-definition\.yaml$/.test(path);
}

function kindOf(block: object): string {
  if ("evidence_schema" in block || "approval" in block) return "gate-definition";
  if ("checks" in block || "examples" in block) return "rule";
  if ("next_action" in block) return "action_config";
  return "trigger_words" in block ? "bot_config" : "behavior";
}
