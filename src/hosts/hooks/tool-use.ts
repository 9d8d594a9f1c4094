import { isObject, type Json, type JsonObject, parsedObject } from "../../kit/json.ts";
import { isFixedTool } from "../../workflow/fixed-tools.ts";
import type { ToolUse } from "./hook-event.ts";
import { patchedFiles } from "./patched-files.ts";

/** Classifies a tool call by the tool names of the hosts. */
export function toolUse(event: string, input: JsonObject): ToolUse {
  const name = text(input.tool_name ?? input.toolName ?? input.tool);
  const given = objectIn(input.tool_input ?? input.toolArgs ?? input.args);
  const ours = waymarkTool(event, name, input);
  if (ours !== undefined) return { kind: "waymark", ...ours, input: given, ...responseOf(input) };
  if (/shellexecution$/i.test(event)) return shell({ command: input.command ?? given.command ?? "" }, input);
  const tool = plainName(name, input);
  if (shells.test(tool)) return shell(given, input);
  if (patches.test(tool)) return { kind: "edit", paths: patchedFiles(textsIn(given).join("\n")) };
  if (!editors.test(tool) || isReading(given) || isElsewhere(given)) return { kind: "other" };
  const { source, ...others } = given;
  return { kind: "edit", paths: pathsIn(/^copy/i.test(tool) ? others : given) };
}

/** A tool's own name without its server's, which each host adds in its own way. */
function plainName(name: string, input: JsonObject): string {
  const said = text(serverOf(input).tool_name) || name;
  const behind = /[_.:/-]((?:write|create|edit|delete|move|rename|copy)_(?:file|directory))$/i.exec(said)?.[1];
  return behind ?? said.replace(/^mcp_.*_{2}/, "");
}

/** True for a view command of a tool that both shows and edits. */
function isReading({ command }: JsonObject): boolean {
  return command === "view";
}

/** True for files of a remote repository, which are not on this machine. */
function isElsewhere(given: JsonObject): boolean {
  return "repo" in given || "repository" in given;
}

function serverOf(input: JsonObject): JsonObject {
  return [input.mcp_server, input.mcp_context].find(isObject) ?? {};
}

const shells =
  /^(bash|shell|sh|zsh|powershell|terminal|exec|exec_command|local_shell|run_shell_command|run_in_terminal|runinterminal|run_terminal_cmd|run_?terminal_?command|write_bash|write_powershell|write_stdin|unified_exec)$/i;
const patches = /^(apply_?patch|patch)$/i;
const editors =
  /^(write|edit|multi_?edit|notebook_?edit|create|replace|insert|delete|str_replace(_editor|_based_edit_tool)?|search_replace|(write|create|edit|delete|move|rename|copy|insert_edit_into|multi_edit)_?(files?|directory|notebook(_file)?)|(multi_)?replace_string_in_file|edit_?notebook|editfiles|createfile|createdirectory)$/i;

/** The name of a Waymark tool without the host's prefix; undefined for any other tool. */
function waymarkTool(
  event: string,
  name: string,
  input: JsonObject,
): { readonly tool: string; readonly isSure: boolean } | undefined {
  const context = serverOf(input);
  const server = text(context.name ?? context.server_name ?? input.server_name ?? input.mcp_server_name);
  const isMcp = server !== "" || /mcp/i.test(name) || /mcp/i.test(event) || /(^|[^a-z])waymark([^a-z]|$)/i.test(name);
  if (!isMcp) return undefined;
  const plain = text(context.tool_name) || name;
  const tool = plain
    .replace(/^.*__/, "")
    .replace(/^(MCP:|mcp_)/i, "")
    .replace(/^.*waymark[_.:/-]+/i, "");
  if (tool === "search_standards") return undefined;
  const isSure = /waymark/i.test(server) || /waymark/i.test(name) || isFixedTool(tool);
  return isSure || /_bot$/.test(tool) ? { tool, isSure } : undefined;
}

function shell(given: JsonObject, { cwd }: JsonObject): ToolUse {
  const words = Array.isArray(given.command)
    ? given.command.map((word) => quoted(text(word))).join(" ")
    : given.command;
  const command = text(words ?? given.input ?? given.chars ?? given.script);
  const { working_directory, workingDirectory, workdir, directory, dir_path } = given;
  const folders = [given.cwd, working_directory, workingDirectory, workdir, directory, dir_path, cwd];
  const folder = folders.find((one) => text(one) !== "");
  return { kind: "shell", command, ...(folder === undefined ? {} : { cwd: text(folder) }) };
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const pathKeys =
  /^(file_?path|path|notebook_?path|target_?file|absolute_?path|file|filename|old_?path|new_?path|source|destination|dir_?path|files|edits|replacements|paths|uri)$/i;

/** The paths of an edit, including those in lists of edits. */
function pathsIn(given: JsonObject): readonly string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    if (!pathKeys.test(key)) return [];
    if (typeof value === "string") return [value];
    if (!Array.isArray(value)) return isObject(value) ? pathsIn(value) : [];
    return value.flatMap((one) => (typeof one === "string" ? [one] : isObject(one) ? pathsIn(one) : []));
  });
}

/** The tool's response as one text without escapes, since hosts pass it on in many forms. */
function responseOf(input: JsonObject): { readonly response?: string } {
  const { tool_response, toolResult, tool_output, result_json, output, content, structuredContent } = input;
  const found = [tool_response, toolResult, tool_output, result_json, structuredContent, output, content].filter(
    (one) => one !== undefined,
  );
  return found.length === 0 ? {} : { response: JSON.stringify(found).slice(0, 20_000).replaceAll("\\", "") };
}

function objectIn(value: Json | undefined): JsonObject {
  if (isObject(value)) return value;
  if (typeof value !== "string") return {};
  return parsedObject(value) ?? { command: value };
}

function textsIn(given: JsonObject): readonly string[] {
  return Object.values(given).flatMap((one) => (typeof one === "string" ? [one] : []));
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
