import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Argument, Command, Option } from "commander";
import ts from "typescript";
import { expect, test } from "vitest";
import { program } from "../../src/cli/program.ts";
import { findingCodes } from "../../src/definitions/finding-codes.ts";
import { metrics } from "../../src/http/metrics.ts";
import { document, table } from "./markdown.ts";

// `npm run reference` writes these pages again.
const home = join(import.meta.dirname, "../..");
const page = (name: string): string => join(home, "docs/reference", `${name}.md`);

test("docs/reference/commands.md lists the commands of the program", async () => {
  const groups = groupedBy(program.commands, groupOf);
  const parts = [...groups].flatMap(([group, commands]) => [
    `## ${group.replace(":", "")}`,
    ...commands.flatMap((one) => describe(one, "waymark")),
  ]);
  await expect(
    document(
      "Commands",
      "For everyone. Each command with its arguments and options, as `waymark COMMAND --help` prints them.",
      ...parts,
    ),
  ).toMatchFileSnapshot(page("commands"));
});

test("docs/reference/metrics.md lists the metrics of a server", async () => {
  const page_ = await metrics({
    calls: () => 0,
    sessions: () => 0,
    definitions: async () => [],
    wanted: async () => 0,
    statements: () => ({ open: 0, connections: 0 }),
  }).page();
  const help = [...(await page_.text()).matchAll(/^# HELP (waymark_\S+) (.*)\n# TYPE \S+ (\w+)$/gm)];
  expect(help.length).toBeGreaterThan(8);
  const rows = help.map(([, name, meaning, type]) => [`\`${name}\``, type ?? "", meaning ?? ""]);
  await expect(
    document(
      "Metrics",
      "For the person who runs a team server. `/metrics` has these for Prometheus, and the default metrics of a Node process.",
      table(["metric", "type", "meaning"], rows),
    ),
  ).toMatchFileSnapshot(page("metrics"));
});

test("docs/reference/findings.md lists the findings of waymark check", async () => {
  const groups = commentsAbove("src/definitions/finding-codes.ts");
  const parts = Object.entries(findingCodes).flatMap(([code, { severity, meaning }]) => [
    ...(groups.has(code) ? [`## ${capital(groups.get(code) ?? "")}`] : []),
    `### ${code}`,
    `${capital(severity)}. ${capital(meaning)}.`,
  ]);
  await expect(
    document(
      "Findings of `waymark check`",
      "For people who write definitions. Each finding names a file, a line, and what to do. An **error** closes or disables something; `check` exits with 1. A **warning** works, but probably not as you meant. **Info** is untidy and harmless.",
      ...parts,
    ),
  ).toMatchFileSnapshot(page("findings"));
});

test("docs/reference/events.md lists the events of a history", async () => {
  const rows = eventsOf("src/workflow/events.ts").map(({ type, meaning, fields }) => [
    `\`${type}\``,
    meaning,
    fields.map((field) => `\`${field}\``).join(" "),
  ]);
  expect(rows.length).toBeGreaterThan(25);
  await expect(
    document(
      "Events",
      "For people who read a journal. Each line of `.waymark/journal/` is one record with the events of one transition. Every event has `type`, `at` (the time), `by` (the caller) and, where known, `client` and `name`.",
      table(["event", "meaning", "fields of its own"], rows),
    ),
  ).toMatchFileSnapshot(page("events"));
});

const schemas = [
  ["config", "Settings", "`.waymark/config.json`"],
  ["bot_config", "A bot", "`bots/<bot>/bot_config.json`"],
  ["behavior", "A behavior", "`bots/<bot>/behaviors/<behavior>/behavior.json`"],
  ["action_config", "An action", "`base_actions/<action>/action_config.json`"],
  ["gate-definition", "A gate", "`gate-definition.yaml`, or a `yaml gate` block in a one-file workflow"],
  ["rule", "A rule", "`rules/*.json` of a behavior"],
  ["approvers", "Approvers", "`approvers.json`, written by `waymark approve --enroll`"],
] as const;

test("docs/reference/settings.md lists the keys of every file", async () => {
  const parts = schemas.flatMap(([name, title, file]) => [
    `## ${title}`,
    `${file}.`,
    table(
      ["key", "value", "meaning"],
      keysOf(JSON.parse(readFileSync(join(home, "schemas", `${name}.schema.json`), "utf8"))),
    ),
  ]);
  await expect(
    document(
      "Settings and keys",
      "For people who write definitions. The keys of every file, from the schemas in [schemas/](../../schemas), which editors use to complete and check while you type.",
      ...parts,
    ),
  ).toMatchFileSnapshot(page("settings"));
});

function groupOf(command: Command): string {
  return command.helpGroup();
}

function groupedBy<T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

function describe(command: Command, before: string): string[] {
  const name = `${before} ${command.name()}`;
  if (command.commands.length > 0)
    return [`### ${name}`, `${command.description()}.`, ...command.commands.flatMap((one) => describe(one, name))];
  const usage = [name, ...command.registeredArguments.map(argumentText), "[options]"].join(" ");
  const rows = [
    ...command.registeredArguments
      .filter(({ description }) => description !== "")
      .map((one) => [`\`${argumentText(one)}\``, one.description]),
    ...command.options.filter(({ hidden }) => !hidden).map((one) => [`\`${one.flags}\``, optionText(one)]),
  ];
  return [
    `### ${name}`,
    `${command.description()}.`,
    ["```text", usage, "```"].join("\n"),
    table(["option", "meaning"], rows),
  ];
}

function argumentText(one: Argument): string {
  const name = one.variadic ? `${one.name()}...` : one.name();
  return one.required ? `<${name}>` : `[${name}]`;
}

function optionText(option: Option): string {
  const preset = option.defaultValue;
  const shown = typeof preset === "string" ? ` (default: ${preset})` : "";
  return `${option.description}${option.mandatory ? " (required)" : ""}${shown}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The comment line above a property, by the property's name. */
function commentsAbove(file: string): Map<string, string> {
  const lines = readFileSync(join(home, file), "utf8").split("\n");
  const found = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    const comment = /^ {2}\/\/ (.+)$/.exec(line)?.[1];
    const key = /^ {2}"([a-z-]+)"/.exec(lines[at + 1] ?? "")?.[1];
    if (comment !== undefined && key !== undefined) found.set(key, comment);
  }
  return found;
}

type DescribedEvent = { readonly type: string; readonly meaning: string; readonly fields: readonly string[] };

/** The members of the union `Event`, each with the comment above it and the names of its fields. */
function eventsOf(file: string): DescribedEvent[] {
  const source = ts.createSourceFile(file, readFileSync(join(home, file), "utf8"), ts.ScriptTarget.Latest, true);
  const found: DescribedEvent[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeLiteralNode(node)) {
      const names = node.members.flatMap((one) => (one.name === undefined ? [] : [one.name.getText(source)]));
      const type = node.members.find((one) => one.name?.getText(source) === "type");
      const value =
        type !== undefined && ts.isPropertySignature(type)
          ? /"(\w+)"/.exec(type.type?.getText(source) ?? "")?.[1]
          : undefined;
      if (value !== undefined) {
        found.push({ type: value, meaning: commentOf(source, node), fields: names.filter((name) => name !== "type") });
        return;
      }
    }
    ts.forEachChild(node, visit);
  };
  const union = source.statements.find((one) => ts.isTypeAliasDeclaration(one) && one.name.text === "Event");
  if (union !== undefined) visit(union);
  return found;
}

/** The doc comment above a member of a union, which belongs to the member as a whole. */
function commentOf(source: ts.SourceFile, node: ts.Node): string {
  let member: ts.Node = node;
  while (member.parent !== undefined && !ts.isUnionTypeNode(member.parent)) member = member.parent;
  const members = member.parent.getChildren(source).flatMap((one) => one.getChildren(source));
  const before = members
    .slice(0, members.indexOf(member))
    .filter((one) => ts.isTypeNode(one))
    .at(-1);
  const text = source.text.slice(before?.end ?? member.parent.getFullStart() - 80, member.getStart(source));
  return [...text.matchAll(/\/\*\* (.+?) \*\//g)].at(-1)?.[1] ?? "";
}

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
};

/** The keys of a schema, with the keys of what they hold, one row each. */
function keysOf(root: Schema): string[][] {
  const rows: string[][] = [];
  const add = (schema: Schema, before: string): void => {
    for (const [key, given] of Object.entries(schema.properties ?? {})) {
      if (key === "$schema") continue;
      const value = resolved(root, given);
      const name = `${before}${key}`;
      const preset = value.default === undefined ? "" : `; default ${JSON.stringify(value.default)}`;
      rows.push([`\`${name}\``, `${valueText(root, value)}${preset}`, given.description ?? value.description ?? ""]);
      if (given.$ref === undefined) inside(value, name); // a condition holds conditions
    }
  };
  const inside = (value: Schema, name: string): void => {
    add(value, `${name}.`);
    if (value.items !== undefined) inside(resolved(root, value.items), `${name}[]`);
    if (typeof value.additionalProperties === "object")
      inside(resolved(root, value.additionalProperties), `${name}.<name>`);
    const seen = new Set(rows.map(([key]) => key));
    for (const one of value.anyOf ?? []) {
      const choice = resolved(root, one);
      const fresh = Object.entries(choice.properties ?? {}).filter(([key]) => !seen.has(`\`${name}.${key}\``));
      inside({ ...choice, properties: Object.fromEntries(fresh) }, name);
      for (const [key] of fresh) seen.add(`\`${name}.${key}\``);
    }
  };
  add(root, "");
  for (const one of root.anyOf ?? []) add(resolved(root, one), "");
  return rows;
}

function resolved(root: Schema, schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1) ?? "";
  return schema.$ref === undefined ? schema : { ...root.definitions?.[name], ...schema };
}

function valueText(root: Schema, schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined)
    return schema.enum.map((one) => `\`${typeof one === "string" ? one : JSON.stringify(one)}\``).join(", ");
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((one) => valueText(root, resolved(root, one))))].join(", or ");
  const types = [schema.type ?? "any"].flat().filter((one) => one !== "null");
  return types.map((one) => (one === "array" ? "list" : one)).join(" or ");
}
