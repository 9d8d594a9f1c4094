import { jsonFile, textFile } from "./files.ts";
import type { PackageIdentity } from "./package-identity.ts";

/** The config of one host: a file below `clients/`, at its path in the project or home folder. */
export type ClientConfig = {
  readonly host: string;
  readonly file: string;
  /** The place it belongs, for people. */
  readonly place: string;
  readonly bytes: Uint8Array;
};

/** Writes the server's entry for every host in that host's format. */
export function clientConfigs(identity: PackageIdentity): readonly ClientConfig[] {
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
      // This file is for all projects and has no variable for the open one.
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

/** The command that starts the server; a package without a chosen name is never fetched, since npm may have another of that name. */
export function startCommand({ name, bin, isPrivate }: PackageIdentity): Entry {
  return { command: "npx", args: isPrivate ? ["--no", "--", bin] : ["-y", name] };
}

/** Formats Codex's TOML entry; Codex waits ten seconds, and a first start may have to fetch the package. */
function codexEntry(key: string, { command, args }: Entry, isFetched: boolean): string {
  const list = args.map((arg) => JSON.stringify(arg)).join(", ");
  const patience = isFetched ? "startup_timeout_sec = 60\n" : "";
  return `[mcp_servers.${key}]\ncommand = ${JSON.stringify(command)}\nargs = [${list}]\n${patience}`;
}
