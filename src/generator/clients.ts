import { jsonFile, textFile } from "./files.ts";
import type { Identity } from "./identity.ts";

/** The config of one host: a file below `clients/`, at the path it has in the project or in the home folder. */
export type ClientConfig = {
  readonly host: string;
  readonly file: string;
  /** Where it belongs, for people. */
  readonly place: string;
  readonly bytes: Uint8Array;
};

/** Writes the server's entry in the config of every host, each in that host's own format. */
export function clientConfigs(identity: Identity): readonly ClientConfig[] {
  const { key, isPrivate } = identity;
  const entry = startCommand(identity);
  const at = (folder: string): Entry => ({ ...entry, args: [...entry.args, "--root", folder] });
  const stdio = (server: Entry) => ({ [key]: { type: "stdio", ...server } });
  const open = at(`\${workspaceFolder}`);
  const inProject = (host: string, folder: string, file: string, config: unknown): ClientConfig => ({
    host,
    file: `${folder}/${file}`,
    place: `\`${file}\` in the project`,
    bytes: typeof config === "string" ? textFile(config) : jsonFile(config),
  });
  return [
    inProject("Claude Code", "claude", ".mcp.json", { mcpServers: stdio(entry) }),
    inProject("Cursor", "cursor", ".cursor/mcp.json", { mcpServers: stdio(open) }),
    inProject("VS Code", "vscode", ".vscode/mcp.json", { servers: stdio(open) }),
    inProject("Codex", "codex", ".codex/config.toml", codexEntry(key, entry, !isPrivate)),
    inProject("Gemini CLI", "gemini", ".gemini/settings.json", { mcpServers: { [key]: entry } }),
    inProject("Windsurf", "windsurf", ".devin/mcp_config.json", { mcpServers: { [key]: entry } }),
    {
      // It serves all projects, and has no word for the one that is open.
      host: "Windsurf, before Devin Desktop",
      file: "windsurf/.codeium/windsurf/mcp_config.json",
      place: "`~/.codeium/windsurf/mcp_config.json`, with the path of your project",
      bytes: jsonFile({ mcpServers: { [key]: at("/path/to/your/project") } }),
    },
    inProject("Zed", "zed", ".zed/settings.json", { context_servers: { [key]: entry } }),
    inProject("Copilot CLI", "copilot", ".mcp.json", { mcpServers: stdio(entry) }),
    inProject("OpenCode", "opencode", "opencode.json", {
      mcp: { [key]: { type: "local", command: [entry.command, ...entry.args], enabled: true } },
    }),
    inProject("Qwen Code", "qwen", ".qwen/settings.json", { mcpServers: { [key]: entry } }),
  ];
}

type Entry = { readonly command: string; readonly args: readonly string[] };

/** How a host starts the server. A name that nobody has chosen may be somebody else's on npm, so it is never fetched. */
export function startCommand({ name, bin, isPrivate }: Identity): Entry {
  return { command: "npx", args: isPrivate ? ["--no", "--", bin] : ["-y", name] };
}

/** JSON writes plain texts as TOML does. Codex waits for ten seconds, and a first start may have to fetch the package. */
function codexEntry(key: string, { command, args }: Entry, isFetched: boolean): string {
  const list = args.map((arg) => JSON.stringify(arg)).join(", ");
  const patience = isFetched ? "startup_timeout_sec = 60\n" : "";
  return `[mcp_servers.${key}]\ncommand = ${JSON.stringify(command)}\nargs = [${list}]\n${patience}`;
}
