import { openJson } from "../../kit/edit-json.ts";
import { isObject } from "../../kit/json.ts";
import { layoutOf } from "../../kit/text-layout.ts";

/** The schema of each definition file, by its path in `.waymark/`. */
const schemas: readonly { readonly file: RegExp; readonly schema: string }[] = [
  { file: /(^|\/)action_config\.json$/, schema: "action_config" },
  { file: /(^|\/)bot_config\.json$/, schema: "bot_config" },
  { file: /(^|\/)behavior(_config)?\.json$/, schema: "behavior" },
  { file: /\/rules\/[^/]+\.json$/, schema: "rule" },
  { file: /(^|\/)gate-definition\.yaml$/, schema: "gate-definition" },
  { file: /^config\.json$/, schema: "config" },
  { file: /^approvers\.json$/, schema: "approvers" },
];

/** Adds the schema reference to a definition file that has a schema and no reference yet. */
export function withSchema(path: string, text: string): string {
  const found = schemas.find(({ file }) => file.test(path));
  if (found === undefined || text.includes("$schema")) return text;
  const schema = `${"../".repeat(path.split("/").length - 1) || "./"}schemas/${found.schema}.schema.json`;
  return path.endsWith(".yaml") ? `# yaml-language-server: $schema=${schema}\n${text}` : withKey(text, schema);
}

function withKey(text: string, schema: string): string {
  const open = openJson(text);
  // A list of rules has no place for the key, and a schema beside the rules is not ours.
  if ("problem" in open || !isObject(open.value) || isObject(open.value.properties)) return text;
  const first = open.tree.children?.[0];
  if (first === undefined) return text;
  const at = open.tree.offset + 1;
  const key = `"$schema": ${JSON.stringify(schema)},`;
  const lead = text.slice(at, first.offset);
  const { unit, eol } = layoutOf(text);
  return text.slice(0, at) + (lead.includes("\n") ? `${eol}${unit}${key}` : ` ${key}`) + text.slice(at);
}
