import { defined } from "../kit/defined.ts";
import { startCommand } from "./clients.ts";
import { entryFile, type Files, jsonFile, textFile } from "./files.ts";
import type { PackageIdentity } from "./package-identity.ts";
import { shellCommand } from "./quote-command.ts";

/** The hosts that a package can be a plugin or extension of. */
export const pluginHosts = ["claude", "gemini", "codex"] as const;
export type PluginHost = (typeof pluginHosts)[number];

/** The files that make a package a host's plugin or extension, installed in one step. */
export function hostFiles(host: PluginHost, identity: PackageIdentity, tool: string): Files {
  switch (host) {
    case "claude":
      return new Map([
        [".claude-plugin/plugin.json", jsonFile({ ...aboutOf(identity), author: { name: identity.author } })],
        [".claude-plugin/marketplace.json", jsonFile(marketplace(identity, "./"))],
        [
          ".mcp.json",
          jsonFile({ mcpServers: { waymark: byPath(`\${CLAUDE_PLUGIN_ROOT}`, `\${CLAUDE_PROJECT_DIR}`) } }),
        ],
        ["hooks/hooks.json", jsonFile(grouped(claudeEvents, `\${CLAUDE_PLUGIN_ROOT}`, "claude", 10))],
        [`skills/${identity.bin}/SKILL.md`, textFile(skill(identity, tool))],
      ]);
    case "gemini":
      return new Map([
        [
          "gemini-extension.json",
          jsonFile({
            ...aboutOf(identity),
            contextFileName: "GEMINI.md",
            mcpServers: { waymark: byPath(`\${extensionPath}`, ".") },
          }),
        ],
        ["hooks/hooks.json", jsonFile(grouped(geminiEvents, `\${extensionPath}`, "gemini", 10_000))],
        ["GEMINI.md", textFile(`${pointer(tool)}\n`)],
      ]);
    case "codex": {
      // Codex does not tell servers where a plugin is, so the server comes from npm; hooks know it.
      const { command, args } = startCommand(identity);
      return new Map([
        [
          ".codex-plugin/plugin.json",
          jsonFile({
            ...aboutOf(identity),
            mcpServers: "./codex.mcp.json",
            skills: "./skills/",
            hooks: "./hooks/hooks.json",
          }),
        ],
        [".agents/plugins/marketplace.json", jsonFile(codexMarketplace(identity))],
        ["codex.mcp.json", jsonFile({ mcpServers: { waymark: { command, args: [...args, "--root", "."] } } })],
        ["hooks/hooks.json", jsonFile(grouped(codexEvents, "$PLUGIN_ROOT", "codex", 10))],
        [`skills/${identity.bin}/SKILL.md`, textFile(skill(identity, tool))],
      ]);
    }
  }
}

/** The commands that install the result; `again` if an earlier version may be installed. */
export function installLines(
  host: PluginHost,
  { bin }: PackageIdentity,
  out: string,
  again: boolean,
): readonly string[] {
  const folder = shellCommand(out);
  switch (host) {
    case "claude":
      return [`claude plugin marketplace add ${folder}`, `claude plugin install ${bin}@${bin} --scope project`];
    case "gemini":
      return [again ? `gemini extensions update ${bin}` : `gemini extensions install ${folder}`];
    case "codex":
      return [
        `npm install --save-dev ${folder}`,
        `codex plugin marketplace add ${folder}`,
        `codex plugin add ${bin}@${bin}`,
      ];
  }
}

type Events = readonly (readonly [event: string, matcher?: string])[];

const claudeEvents: Events = [
  ["SessionStart"],
  ["PreToolUse", "Write|Edit|MultiEdit|NotebookEdit|Bash|mcp__.*"],
  ["PostToolUse", "mcp__.*"],
  ["Stop"],
];
const codexEvents: Events = [
  ["SessionStart"],
  ["PreToolUse", "Bash|apply_patch|mcp__.*"],
  ["PostToolUse", "mcp__.*"],
  ["Stop"],
];
const geminiEvents: Events = [
  ["SessionStart"],
  ["BeforeAgent"],
  ["BeforeTool", "write_file|replace|edit|run_shell_command|mcp_.*"],
  ["AfterTool", "mcp_.*"],
  ["AfterAgent"],
];

function aboutOf({ bin: name, version, description }: PackageIdentity) {
  return { name, version, description };
}

function byPath(folder: string, root: string) {
  return { command: "node", args: [`${folder}/${entryFile}`, "--root", root] };
}

function grouped(events: Events, folder: string, host: PluginHost, timeout: number) {
  const group = (event: string, matcher: string | undefined) => ({
    ...defined({ matcher }),
    hooks: [{ type: "command", command: `node "${folder}/${entryFile}" hook ${host} ${event}`, timeout }],
  });
  return { hooks: Object.fromEntries(events.map(([event, matcher]) => [event, [group(event, matcher)]])) };
}

function marketplace({ bin, description, author }: PackageIdentity, source: string) {
  return { name: bin, owner: { name: author }, plugins: [{ name: bin, source, description }] };
}

function codexMarketplace({ bin }: PackageIdentity) {
  const policy = { installation: "AVAILABLE", authentication: "ON_INSTALL" };
  const source = { source: "local", path: "./" };
  return { name: bin, plugins: [{ name: bin, source, policy, category: "Productivity" }] };
}

function pointer(tool: string): string {
  return `This project's process runs through the MCP server \`waymark\`: where a request fits, call its tool \`${tool}\` first and do what it says, then \`complete_action\`. Leave \`.waymark/\`, \`workflow_state.json\` and \`activity_log.json\` to the server.`;
}

function skill({ bin, description }: PackageIdentity, tool: string): string {
  return `---\nname: ${bin}\ndescription: ${JSON.stringify(description)}\n---\n\n${pointer(tool)}\n`;
}
